// `tenant.undeclared`: live items that a section does not list, for every kind and command.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding, Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const api = 'https://orders.example/';
const pair = (name: string) => ({ resource_server_identifier: api, permission_name: name });
const role = (id: string, name: string, about: object = {}) => ({ id, name, permissions: [pair('read')], ...about });
const stream = (id: string, name?: string) => ({
  id,
  ...(name !== undefined && { name }),
  subscriptions: [{ event_type: 'user.created' }],
  destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://crm.example/hook' } },
});
const streamYaml = (name: string, event = 'user.created') =>
  `event_streams:\n  - { name: ${name}, subscriptions: [{ event_type: ${event} }], destination: { type: webhook, configuration: { webhook_endpoint: "https://crm.example/hook" } } }\n`;
const byId = `roles:\n  - { id: rol_1, permissions: { ${api}: [read] } }\n`;

async function setUp(seed: Seed, files: Readonly<Record<string, string>>) {
  const tenant = await tenantWith(seed);
  const cwd = await folder(files);
  const run = (...argv: readonly string[]) => runCommand(argv, { env: tenant.env, cwd });
  const reads = () =>
    tenant.tenant.requests.flatMap(({ method, operation }) => (method === 'GET' ? [String(operation)] : []));
  const planned = async (...argv: readonly string[]) => {
    const { stdout } = await run('plan', '--format', 'json', ...argv);
    return JSON.parse(stdout) as Plan;
  };
  return { tenant, cwd, run, reads, planned };
}

const found = ({ findings }: Pick<Plan, 'findings'>) =>
  findings.map(({ code, severity, kind, key }: Finding) => `${severity} ${code} ${kind}/${key}`);

test('the default of a kind is that of its schema, and editors have a text for each value', async () => {
  const { properties } = JSON.parse(await readFile('schemas/undeclared.schema.json', 'utf8')) as {
    properties: Record<string, { default: string; enum: string[]; enumDescriptions: string[] }>;
  };
  expect(Object.keys(properties).sort()).toEqual(kinds.map(({ name }) => name).sort());
  for (const { name, undeclared } of kinds) {
    const { default: value, enum: values, enumDescriptions } = properties[name] ?? {};
    expect([value, values?.[0]]).toEqual([undeclared, undeclared]);
    expect(enumDescriptions).toHaveLength(values?.length ?? 0);
  }
});

test('an item that the files leave alone is declared, also of a kind that is read item by item', async () => {
  const texts = { login: { 'form-content-start': '<b>' } };
  const { run, planned, reads } = await setUp(
    { roles: [role('rol_1', 'Support'), role('rol_2', 'Other')], prompts: { login: { partials: texts } } },
    {
      'a.yaml': `tenant: { undeclared: { prompts: report } }
roles:
  - { name: Support, unmanaged: true }
  - { id: rol_2, unmanaged: true }
prompts:
  login: { unmanaged: true }
`,
    },
  );
  expect(await planned()).toMatchObject({ actions: [], findings: [] });
  expect(reads()).not.toContain('list_role_permissions');
  expect((await run('drift')).code).toBe(0);
  expect((await run('pull', '--check')).code).toBe(0);
});

describe('one undeclared item of each kind', () => {
  const seed: Seed = {
    rate_limit_policies: [livePolicy('default'), livePolicy('client_id:a')],
    roles: [role('rol_1', 'Support')],
    resource_servers: [{ identifier: api, scopes: [{ value: 'read' }] }],
    prompts: { login: { partials: { login: { 'form-content-start': '<b>' } } } },
    event_streams: [stream('est_1', 'crm'), stream('est_2', 'kept')],
    connections: [{ id: 'con_0000000000000001', name: 'customers', strategy: 'auth0' }],
  };
  const keysOn = (baseUrl: string): Readonly<Record<string, string>> => ({
    clients: testClient.client_id,
    // The grant with which this client reads.
    client_grants: `${testClient.client_id}/${baseUrl}//client`,
    connections: 'customers',
    rate_limit_policies: 'oauth_authentication_api/client/client_id:a',
    roles: 'Support',
    resource_servers: api,
    prompts: 'login',
    event_streams: 'crm',
  });
  const sections: Readonly<Record<string, string>> = {
    rate_limit_policies: policiesYaml('default'),
    roles: 'roles: []\n',
    resource_servers: 'resource_servers: []\n',
    prompts: 'prompts: {}\n',
    event_streams: streamYaml('kept'),
    clients: 'clients: []\n',
    client_grants: 'client_grants: []\n',
    connections: 'connections: []\n',
  };
  const rulesOf = ({ name, undeclared }: (typeof kinds)[number]) =>
    (['default', ...(undeclared === 'delete' ? ['delete'] : []), 'report', 'ignore'] as const).map(
      (rule) => [name, rule, rule === 'default' ? undeclared : rule] as const,
    );

  // Every tenant has each item of a kind that can only be ignored.
  const listed = kinds.filter(({ undeclared }) => undeclared !== 'ignore');

  test.each(listed.flatMap(rulesOf))('%s: %s', async (kind, rule, meaning) => {
    const header = rule === 'default' ? '' : `tenant: { undeclared: { ${kind}: ${rule} } }\n`;
    const { run, planned, tenant } = await setUp(seed, { 'a.yaml': header + sections[kind] });
    const { actions, findings } = await planned();
    const keys = keysOn(tenant.baseUrl);
    const reported = findings.filter(({ code }) => code === 'LIVE_UNDECLARED');
    expect([actions, reported].map((some) => some.map(({ key }) => key))).toEqual([
      meaning === 'delete' ? [keys[kind]] : [],
      meaning === 'report' ? [keys[kind]] : [],
    ]);
    const exit = meaning === 'ignore' ? 0 : 2;
    expect([(await run('drift')).code, (await run('pull', '--check')).code]).toEqual([exit, exit]);
    const text = (await run('plan')).stdout;
    expect(text.includes(`add to the files with pull, or set undeclared: { ${kind}: ignore }`)).toBe(
      meaning === 'report',
    );
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    const left = JSON.stringify(tenant.tenant.snapshot());
    expect([left.includes('client_id:a'), left.includes('crm"')]).toEqual([
      !(kind === 'rate_limit_policies' && meaning === 'delete'),
      !(kind === 'event_streams' && meaning === 'delete'),
    ]);
  });
});

test.each([
  ['[event_streams, roles]', 'write undeclared: { event_streams: report } instead'],
  [
    '[event_streams, rate_limit_policies]',
    'write undeclared: { rate_limit_policies: report, event_streams: report } instead',
  ],
  ['[roles]', 'delete it'],
])('keep_undeclared: %s is an error with the line to write, and nothing is sent', async (list, hint) => {
  const { run, tenant } = await setUp({}, { 'a.yaml': `tenant: { keep_undeclared: ${list} }\nroles: []\n` });
  const { code, stderr } = await run('plan');
  expect([code, tenant.tenant.requests]).toEqual([3, []]);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`hint: ${hint}; it kept parts of declared items as well`);
});

describe('a role that was made by hand', () => {
  const seed = { roles: [role('rol_1', 'Support'), role('rol_2', 'By hand')] };

  test('is a note of a plan, which stays in sync, and a difference of drift', async () => {
    const { run, planned } = await setUp(seed, { 'a.yaml': byId });
    expect(found(await planned())).toEqual(['note LIVE_UNDECLARED roles/By hand']);
    const plan = await run('plan', '--exit-code');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('In sync.');
    expect(plan.stdout).toContain(
      'On the tenant, but not declared: 1 role (By hand); add to the files with pull, or set undeclared: { roles: ignore }.',
    );
    const drift = await run('drift');
    expect([drift.code, drift.stdout]).toEqual([2, expect.stringContaining('1 difference: 1 not in the files')]);
  });

  test('does not invalidate a reviewed plan', async () => {
    const { tenant, planned } = await setUp({ roles: seed.roles.slice(0, 1) }, { 'a.yaml': byId });
    const { digest } = await planned();
    await tenant.tenant.change((state) => state.roles?.push(role('rol_2', 'By hand')));
    expect((await planned()).digest).toBe(digest);
  });

  test('is one line with ten names and the number of the others, in every format', async () => {
    const roles = Array.from({ length: 13 }, (_none, index) => role(`rol_${index + 1}`, `Role ${index + 1}`));
    const { run } = await setUp({ roles }, { 'a.yaml': byId });
    const names = 'Role 2, Role 3, Role 4, Role 5, Role 6, Role 7, Role 8, Role 9, Role 10, Role 11, and 2 more';
    const text = (await run('plan')).stdout;
    expect(text.split('\n').filter((line) => line.includes('Role '))).toEqual([
      expect.stringContaining(`12 roles (${names})`),
    ]);
    const drift = (await run('drift')).stdout;
    expect(drift).toContain(`  + role  12 not declared\n      ${names}\n`);
    expect(drift).toContain('12 differences: 12 not in the files');
    const github = (await run('drift', '--format', 'github')).stdout;
    expect(github.split('\n').filter((line) => line.startsWith('::'))).toEqual([
      expect.stringMatching(
        /^::warning title=LIVE_UNDECLARED::role .*and 2 more: 12 not declared; add to the files with pull/,
      ),
    ]);
  });

  test('is neither read nor reported with ignore', async () => {
    const files = { 'a.yaml': `tenant: { undeclared: { roles: ignore } }\n${byId}` };
    const { run, reads, planned } = await setUp(seed, files);
    expect(found(await planned())).toEqual([]);
    expect(reads()).toEqual(['list_role_permissions']);
    expect(await run('drift')).toMatchObject({ code: 0 });
    expect(await run('pull', '--check')).toMatchObject({ code: 0 });
  });

  test('that is protected is a note in both', async () => {
    const files = { 'a.yaml': `tenant: { protect: { roles: [By*] } }\n${byId}` };
    const { run, planned } = await setUp(seed, files);
    expect(found(await planned())).toEqual(['note LIVE_PROTECTED roles/By hand']);
    expect(await run('drift')).toMatchObject({ code: 0 });
    expect((await run('pull', '--check')).stdout).toContain('1 undeclared item kept by protect; --add writes them:');
  });

  test('cannot hide behind a name that is the id of a declared one', async () => {
    const { run, planned } = await setUp(
      { roles: [role('rol_1', 'Support'), role('rol_2', 'rol_1')] },
      { 'a.yaml': byId },
    );
    expect(found(await planned())).toEqual(['note LIVE_UNDECLARED roles/rol_2']);
    expect(await run('drift')).toMatchObject({ code: 2 });
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    expect(await run('drift')).toMatchObject({ code: 0 });
  });

  test('is written by pull, and then nothing differs', async () => {
    const { run, cwd } = await setUp(seed, { 'a.yaml': byId });
    expect(await run('pull', '--check')).toMatchObject({ code: 2 });
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'a.yaml'), 'utf8')).toContain('name: By hand');
    expect(await run('drift')).toMatchObject({ code: 0 });
    expect(await run('pull', '--check')).toMatchObject({ code: 0 });
  });

  test('an apply lists roles once', async () => {
    const { run, reads, tenant } = await setUp(seed, { 'a.yaml': byId.replace('[read]', '[read, write]') });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(reads().filter((operation) => operation === 'list_roles')).toHaveLength(1);
    expect(tenant.tenant.snapshot().roles?.[0]?.permissions).toHaveLength(2);
  });

  test.each([
    ['one role', ['--only', 'roles/rol_1'], 'Excluded by --only or --except: all other roles, all prompts'],
    ['another kind', ['--only', 'prompts'], 'Excluded by --only or --except: all roles'],
  ])('is not reported by a plan of %s, which names what it did not read', async (_name, options, sentence) => {
    const { run } = await setUp(seed, { 'a.yaml': `${byId}prompts: {}\n` });
    const { stdout } = await run('plan', ...options);
    expect(stdout).not.toContain('By hand');
    expect(stdout).toContain(sentence);
  });

  test('cannot be read with api: documented, and the plan names the kind', async () => {
    const files = { 'a.yaml': 'tenant: { api: documented }\nroles: [{ id: rol_1, permissions: [] }]\n' };
    const { run } = await setUp(seed, files);
    const { stdout } = await run('drift');
    expect(stdout).not.toContain('By hand');
    expect(stdout).toContain('No drift, except for what cannot be read: roles.');
  });
});

test('roles of organizations and APIs of the service are never reported', async () => {
  const seed: Seed = {
    roles: [role('rol_1', 'Organization', { type: 'organization', owner_id: 'org_1' })],
    resource_servers: [
      { identifier: 'https://acme.example/api/v2/', is_system: true, scopes: [{ value: 'read:users' }] },
      { identifier: 'urn:empty' },
      { identifier: 'urn:billing', scopes: [{ value: 'read' }] },
    ],
  };
  const { planned, run } = await setUp(seed, { 'a.yaml': 'roles: []\nresource_servers: []\n' });
  expect(found(await planned())).toEqual([
    'note LIVE_UNDECLARED resource_servers/urn:billing',
    'note LIVE_UNDECLARED resource_servers/urn:empty',
  ]);
  expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
  expect(await run('drift')).toMatchObject({ code: 0 });
});

test('prompts are reported only on request: all of them are read for it', async () => {
  const partials = { partials: { login: { 'form-content-start': '<b>' } } };
  const seed: Seed = { prompts: { login: partials } };
  const { run, reads, cwd, planned } = await setUp(seed, { 'a.yaml': 'prompts: {}\n' });
  expect(found(await planned())).toEqual([]);
  expect(reads()).toEqual([]);
  await writeFile(join(cwd, 'a.yaml'), 'tenant: { undeclared: { prompts: report } }\nprompts: {}\n');
  expect(found(await planned())).toEqual(['note LIVE_UNDECLARED prompts/login']);
  expect(reads()).toHaveLength(10);
  expect(await run('drift')).toMatchObject({ code: 2 });
  expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
  expect(await run('drift')).toMatchObject({ code: 0 });
});

describe('policies and streams', () => {
  const seed: Seed = { rate_limit_policies: [livePolicy('default'), livePolicy('client_id:a')] };
  const files = (rule: string) => ({
    'a.yaml': `tenant: { undeclared: { rate_limit_policies: ${rule} } }\n${policiesYaml('default')}`,
  });

  test.each([
    ['delete', ['delete'], [], 2],
    ['report', [], ['note LIVE_UNDECLARED rate_limit_policies/oauth_authentication_api/client/client_id:a'], 2],
    ['ignore', [], [], 0],
  ])('%s', async (rule, actions, findings, drift) => {
    const { run, planned } = await setUp(seed, files(rule));
    const plan = await planned();
    expect(plan.actions.map(({ action }) => action)).toEqual(actions);
    expect(found(plan)).toEqual(findings);
    expect((await run('drift')).code).toBe(drift);
    expect((await run('pull', '--check')).code).toBe(drift);
  });

  test('a section of absent items empties nothing where others stay', async () => {
    const absent = 'rate_limit_policies: [{ consumer_selector: "client_id:a", absent: true }]\n';
    const alone = { rate_limit_policies: [livePolicy('client_id:a')] };
    const { run } = await setUp(alone, {
      'a.yaml': `tenant: { undeclared: { rate_limit_policies: report } }\n${absent}`,
    });
    expect(await run('plan')).toMatchObject({ code: 0 });
    expect(await (await setUp(alone, { 'a.yaml': absent })).run('plan')).toMatchObject({ code: 4 });
  });

  test('what a plan cannot correct counts for --exit-code only if it is declared', async () => {
    const documented = 'tenant: { api: documented }\n';
    const streams = (event: string) => streamYaml('a', event);
    const two = { event_streams: [stream('est_1', 'a'), stream('est_2', 'b')] };
    const undeletable = await setUp(two, { 'a.yaml': documented + streams('user.created') });
    expect(found(await undeletable.planned())).toEqual(['warning LIVE_UNDELETABLE event_streams/b']);
    expect(await undeletable.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await undeletable.run('drift')).toMatchObject({ code: 2 });
    const different = await setUp(two, { 'a.yaml': documented + streams('user.deleted') });
    expect(await different.run('plan', '--exit-code')).toMatchObject({ code: 2 });
    expect(await different.run('plan')).toMatchObject({ code: 0 });
  });
});

test('a scope that the files lack and a declared role needs is pulled', async () => {
  const held = { permissions: [pair('read'), pair('write')] };
  const seed: Seed = {
    roles: [role('rol_1', 'Support', held)],
    resource_servers: [{ identifier: api, scopes: [{ value: 'read' }, { value: 'write' }] }],
  };
  const files = `roles:\n  - { name: Support, permissions: { ${api}: [read, write] } }\nresource_servers:\n  - identifier: ${api}\n    scopes: [{ value: read }]\n`;
  const { run, planned } = await setUp(seed, { 'a.yaml': files });
  expect(found(await planned())).toEqual(['error LIVE_NOT_FOUND roles/Support']);
  expect(await run('pull', '--check')).toMatchObject({ code: 2 });
  expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
  expect(await run('drift')).toMatchObject({ code: 0 });
});

describe('a pull of a part into an empty folder', () => {
  const seed: Seed = {
    rate_limit_policies: [livePolicy('default'), livePolicy('client_id:a')],
    roles: [role('rol_1', 'Support'), role('rol_2', 'Other')],
    resource_servers: [{ identifier: api, scopes: [{ value: 'read' }] }],
  };

  test('ignores the rest of the kinds of which it took a part, and deletes none of it', async () => {
    const { run, cwd, planned } = await setUp(seed, {});
    const only = ['--only', 'roles/Support', '--only', 'policies/*/default', '--only', 'resource_servers'];
    expect(await run('pull', '--yes', ...only)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'tenant.yaml'), 'utf8')).toContain(
      '  undeclared: { rate_limit_policies: ignore, roles: ignore }\n',
    );
    expect(await planned()).toMatchObject({ actions: [], findings: [] });
    expect(await run('drift')).toMatchObject({ code: 0 });
  });

  test('also beside other sections, and where --except leaves an item out', async () => {
    const { run, cwd } = await setUp(seed, { 'tenant.yaml': 'tenant: { name: acme }\nprompts: {}\n' });
    expect(await run('pull', '--yes', '--add', 'roles/Support')).toMatchObject({ code: 0 });
    expect(await run('pull', '--yes', '--add', 'policies', '--except', 'policies/*/default')).toMatchObject({
      code: 0,
    });
    const header = await readFile(join(cwd, 'tenant.yaml'), 'utf8');
    expect(header).toContain('roles: ignore');
    expect(header).toContain('rate_limit_policies: ignore');
    expect(await run('drift')).toMatchObject({ code: 0 });
  });

  test('of complete kinds has no such line', async () => {
    const { run, cwd } = await setUp(seed, {});
    expect(await run('pull', '--yes', '--only', 'roles')).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'tenant.yaml'), 'utf8')).not.toContain('undeclared');
    expect(await run('drift')).toMatchObject({ code: 0 });
  });
});

describe('a stream without a name', () => {
  const seed: Seed = { event_streams: [stream('est_1'), { id: 'est_2' }, stream('est_3', 'crm')] };
  const yaml = `event_streams:\n  - { name: est_1, subscriptions: [{ event_type: user.created }], destination: { type: webhook, configuration: { webhook_endpoint: "https://crm.example/hook", webhook_authorization: { method: bearer, token: "\${env:TENANT_VAR_T}" } } } }\n`;

  test('is a note with its id, is never deleted, and is no stream that the files name', async () => {
    const { planned, run, tenant } = await setUp(seed, { 'a.yaml': yaml });
    const plan = await planned();
    expect(found(plan)).toEqual([
      'note LIVE_UNDECLARABLE event_streams/est_1',
      'note LIVE_UNDECLARABLE event_streams/est_2',
    ]);
    expect(plan.actions.map(({ action, key }) => `${action} ${key}`)).toEqual(['create est_1', 'delete crm']);
    const env = { ...tenant.env, TENANT_VAR_T: 'planted-secret' };
    const cwd = await folder({ 'a.yaml': yaml });
    expect(await runCommand(['apply', '--yes'], { env, cwd })).toMatchObject({ code: 0 });
    const left = tenant.tenant.snapshot().event_streams?.map(({ name }) => name);
    expect(left?.toSorted()).toEqual(['est_1', undefined, undefined]);
    expect((await run('drift')).stdout).toContain('2 items kept (cannot be declared): stream est_1, stream est_2');
    expect(await run('drift')).toMatchObject({ code: 0 });
    expect(await run('pull', '--check')).toMatchObject({ code: 0 });
  });

  test('is not reported where undeclared streams are ignored', async () => {
    const { planned } = await setUp(seed, {
      'a.yaml': 'tenant: { undeclared: { event_streams: ignore } }\nevent_streams: []\n',
    });
    expect(await planned()).toMatchObject({ actions: [], findings: [] });
  });
});

test('a field that is not known does not make its kind unreadable', async () => {
  const odd = { ...stream('est_1', 'crm'), colour: 'red' } as never;
  const { run } = await setUp({ event_streams: [odd] }, { 'a.yaml': streamYaml('crm') });
  for (const command of ['plan', 'drift']) {
    const { code, stdout } = await run(command);
    expect(code).toBe(0);
    expect(stdout).toContain('except for fields that this version does not expect: event streams.');
    expect(stdout).not.toContain('cannot be read');
  }
});

test('an id that is too long is in no path: its item is not deleted and not changed', async () => {
  const id = `est_${'x'.repeat(40)}`;
  const seed: Seed = { event_streams: [stream(id, 'crm')] };
  const { planned, run, tenant, cwd } = await setUp(seed, { 'a.yaml': 'event_streams: []\n' });
  const plan = await planned();
  expect(plan).toMatchObject({
    actions: [],
    findings: [
      {
        code: 'LIVE_UNDELETABLE',
        message:
          'on the tenant but not declared; its id is longer than the 26 characters that the service specification allows',
      },
    ],
  });
  expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
  expect(await run('drift')).toMatchObject({ code: 0 });
  const yaml = await readFile(join(cwd, 'a.yaml'), 'utf8');
  await writeFile(join(cwd, 'a.yaml'), yaml.replace('user.created', 'user.deleted'));
  expect(found(await planned())).toEqual(['warning LIVE_DIFFERENT event_streams/crm']);
  expect(tenant.tenant.requests.filter(({ path }) => path.includes('xxx'))).toEqual([]);
});
