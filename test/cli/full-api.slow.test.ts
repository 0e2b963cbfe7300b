// What people see of the full service: complete commands on the embedded tenant, whose journal is the evidence of what was sent.
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { documentedYaml, filesOfEveryKind, livePolicy, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type StartedTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const requestsOf = ({ tenant }: StartedTenant) =>
  tenant.requests.map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`);
const writesOf = (tenant: StartedTenant) => requestsOf(tenant).filter((request) => !/^GET|oauth/.test(request));

const api = 'https://orders.example/';
const pair = (permission_name: string) => ({ resource_server_identifier: api, permission_name });
const names = (count: number) => Array.from({ length: count }, (_none, index) => `p${String(index).padStart(3, '0')}`);

function roleYaml(permissions: readonly string[], identity = 'id: rol_1'): string {
  return `roles:\n  - ${identity}\n    permissions:\n${permissions.map((name) => `      - { resource_server_identifier: ${api}, permission_name: ${name} }\n`).join('')}`;
}

describe('one permission of one role among 50 is swapped', () => {
  const held = names(20);
  const wanted = [...held.slice(0, 7), 'fresh', ...held.slice(8)];
  const seed: Seed = {
    roles: Array.from({ length: 50 }, (_none, index) => ({
      id: `rol_${index}`,
      name: `Role ${index}`,
      permissions: held.map(pair),
    })),
  };
  const files = () =>
    folder({
      'roles.yaml': `roles:\n${(seed.roles ?? []).map(({ id, name }) => roleYaml(id === 'rol_7' ? wanted : held, `name: ${name}`).replace('roles:\n', '')).join('')}`,
    });

  test('the plan shows one add and one remove, and apply sends exactly those, the add first', async () => {
    const tenant = await tenantWith(seed);
    const cwd = await files();
    const { code, stdout } = await runCommand(['plan', cwd, '--format', 'json'], { env: tenant.env });
    const { actions, summary } = JSON.parse(stdout);
    expect({ code, summary }).toMatchObject({
      code: 0,
      summary: { add: 1, remove: 1, requests: 2, create: 0, update: 0, delete: 0, put: 0 },
    });
    expect(actions.map(({ key, request }: { key: string; request: { body: unknown } }) => [key, request.body])).toEqual(
      [
        ['Role 7', { permissions: [pair('fresh')] }],
        ['Role 7', { permissions: [pair('p007')] }],
      ],
    );
    // A token, roles, their permissions, and the APIs, because a permission is added.
    expect(requestsOf(tenant)).toHaveLength(1 + 1 + 50 + 1 + 2);

    expect((await runCommand(['apply', cwd, '--yes'], { env: tenant.env })).code).toBe(0);
    expect(writesOf(tenant)).toEqual(['POST /roles/rol_7/permissions', 'DELETE /roles/rol_7/permissions']);
    const after = await runCommand(['plan', cwd, '--exit-code'], { env: tenant.env });
    expect({ code: after.code, sync: after.stdout.includes('In sync.') }).toEqual({ code: 0, sync: true });
  });

  test('when the connection dies on every add, nothing is removed and the role holds what it held', async () => {
    const tenant = await tenantWith(seed, { faults: [{ operation: 'add_role_permissions', kind: 'reset' }] });
    const { code, stdout } = await runCommand(['apply', await files(), '--yes', '--format', 'json'], {
      env: tenant.env,
    });
    expect(code).toBe(1);
    expect(writesOf(tenant)).toEqual(Array(5).fill('POST /roles/rol_7/permissions'));
    expect(tenant.tenant.snapshot().roles?.find(({ id }) => id === 'rol_7')?.permissions).toEqual(held.map(pair));
    const { outcomes } = JSON.parse(stdout);
    expect(outcomes).toMatchObject([
      {
        id: 'roles/Role 7#add',
        outcome: 'unknown',
        message: expect.stringMatching(/^no response \(\w+\), after 5 tries; a reading does not show it$/),
      },
      {
        id: 'roles/Role 7#remove',
        outcome: 'not_attempted',
        message: 'not sent because it depends on roles/Role 7#add, which is not known to be done',
      },
    ]);
  });

  test.each(['before', 'commit'] as const)(
    'when it dies once, %s, the role is read before anything else is sent',
    async (after) => {
      const tenant = await tenantWith(seed, {
        faults: [{ operation: 'add_role_permissions', kind: 'reset', nth: 1, after }],
      });
      const { code } = await runCommand(['apply', await files(), '--yes', '--format', 'json'], { env: tenant.env });
      const requests = requestsOf(tenant);
      const [add, remove] = ['POST /roles/rol_7/permissions', 'DELETE /roles/rol_7/permissions'];
      const reading = ['GET /roles', 'GET /roles/rol_7/permissions'];
      expect({ code, since: requests.slice(requests.indexOf(add)) }).toEqual({
        code: 0,
        since: [
          ...[add, ...reading],
          // A reading so soon after the plan may be older; the last of them needs no other one before the removal.
          ...(after === 'before' ? ['GET /resource-servers', add, ...reading] : Array(4).fill(reading).flat()),
          ...[remove, ...reading],
        ],
      });
    },
  );
});

describe('a role that the files name and the tenant does not have', () => {
  const role = (id: string, name = 'Support') => ({ id, name, permissions: [] });
  const files = (name: string) =>
    folder({ 'roles.yaml': roleYaml(['a'], `name: ${name}`), 'policies.yaml': policiesYaml('default') });

  test('is left out, everything else is planned, and plan and apply exit with 1, drift with 2', async () => {
    const tenant = await tenantWith({ roles: [role('rol_1')] });
    const cwd = await files('Suport');
    const planned = await runCommand(['plan', cwd, '--exit-code'], { env: tenant.env });
    expect(planned.code).toBe(1);
    expect(planned.stdout).toMatch(/Errors\n {2}x role +Suport +roles.yaml:2\n {6}LIVE_NOT_FOUND: /);
    expect(planned.stdout).toContain('did you mean "Support"?');
    expect(planned.stdout).toContain('+ policy  default');
    expect((await runCommand(['drift', cwd], { env: tenant.env })).code).toBe(2);
    const applied = await runCommand(['apply', cwd, '--yes'], { env: tenant.env });
    expect([applied.code, writesOf(tenant)]).toEqual([1, ['POST /rate-limit-policies']]);
    const again = await runCommand(['apply', cwd, '--yes'], { env: tenant.env });
    expect([again.code, again.stdout.includes('Nothing to do'), writesOf(tenant).length]).toEqual([1, false, 1]);
    expect((await runCommand(['drift', cwd], { env: tenant.env })).code).toBe(2);
    const markdown = await runCommand(['apply', cwd, '--yes', '--format', 'markdown'], { env: tenant.env });
    expect(markdown.stdout).toContain('LIVE_NOT_FOUND');
  });

  test('1 comes before 4: a guard refuses the plan as well', async () => {
    const policy = (id: string, selector: string) => ({ ...livePolicy(selector), id });
    const tenant = await tenantWith({ roles: [role('rol_1')], rate_limit_policies: [policy('rlp_1', 'default')] });
    const cwd = await folder({ 'roles.yaml': roleYaml(['a'], 'name: Suport'), 'p.yaml': policiesYaml() });
    const { code, stdout } = await runCommand(['plan', cwd], { env: tenant.env });
    expect([code, stdout.includes('GUARD_EMPTIES_SECTION')]).toEqual([1, true]);
    expect((await runCommand(['apply', cwd, '--yes'], { env: tenant.env })).code).toBe(1);
    expect(writesOf(tenant)).toEqual([]);
  });

  test('a name that two roles have is one as well', async () => {
    const tenant = await tenantWith({ roles: [role('rol_1'), role('rol_2')] });
    const { code, stdout } = await runCommand(['apply', await files('Support'), '--yes'], { env: tenant.env });
    expect([code, stdout.includes('LIVE_AMBIGUOUS'), writesOf(tenant)]).toEqual([
      1,
      true,
      ['POST /rate-limit-policies'],
    ]);
  });

  test('an item that --only leaves out is no error', async () => {
    const tenant = await tenantWith({ roles: [role('rol_1')] });
    const { code } = await runCommand(['plan', await files('Suport'), '--only', 'rate_limit_policies'], {
      env: tenant.env,
    });
    expect(code).toBe(0);
  });
});

describe('an API that does not exist', () => {
  test('is an error for each pair that names it, and nothing is sent', async () => {
    const tenant = await tenantWith({
      resource_servers: [{ identifier: 'https://other.example/', scopes: [] }],
      roles: [{ id: 'rol_1', name: 'Support' }],
    });
    const cwd = await folder({ 'roles.yaml': roleYaml(['a', 'b']) });
    const { code, stdout } = await runCommand(['plan', cwd, '--format', 'json'], { env: tenant.env });
    const message =
      'no API on the tenant has the identifier "https://orders.example/"; did you mean "https://other.example/"?';
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      actions: [],
      findings: [
        { code: 'LIVE_NOT_FOUND', severity: 'error', key: 'rol_1', message },
        { code: 'LIVE_NOT_FOUND', severity: 'error', key: 'rol_1', message },
      ],
    });
    expect((await runCommand(['apply', cwd, '--yes'], { env: tenant.env })).code).toBe(1);
    expect(writesOf(tenant)).toEqual([]);
  });

  test('is the message of the service where APIs cannot be read, below the permissions that it is about', async () => {
    const tenant = await tenantWith(
      {
        resource_servers: [{ identifier: 'https://other.example/', scopes: [] }],
        roles: [{ id: 'rol_1', name: 'Support' }],
      },
      { faults: [{ operation: 'list_resource_servers', kind: 'status', status: 403 }] },
    );
    const { code, stdout } = await runCommand(
      ['apply', await folder({ 'roles.yaml': roleYaml(['a', 'b']) }), '--yes'],
      { env: tenant.env },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Failed\n.* gains a, b of orders\.example .*\n *status 404: The resource server does not exist: 'https:\/\/orders\.example\/'\n/,
    );
  });
});

describe('one word of one template', () => {
  const text = (word: string) => `<div>\n  <p>Our ${word} have changed.</p>\n</div>\n`;
  const yaml =
    'prompts:\n  login:\n    partials:\n      login: { form-content-start: { file: notice.liquid }, form-footer-end: "<p>legal</p>" }\n';
  const seed: Seed = {
    prompts: {
      login: {
        partials: {
          login: {
            'form-footer-end': '<p>legal</p>',
            'form-content-start': text('terms'),
            'form-content-end': 'stray',
          },
        },
      },
    },
  };

  test('is one PUT, and the diff shows the word at its line; a second apply writes nothing', async () => {
    const tenant = await tenantWith(seed);
    const cwd = await folder({ 'prompts.yaml': yaml, 'notice.liquid': text('prices') });
    const { stdout } = await runCommand(['apply', cwd, '--yes', '--approve', 'none', '--detail', 'full'], {
      env: tenant.env,
    });
    expect(writesOf(tenant)).toEqual(['PUT /prompts/login/partials']);
    expect(stdout).toContain('text      login / form-content-start, in notice.liquid:1:1');
    expect(stdout).toContain('@@ -1,3 +1,3 @@');
    expect(stdout).toContain('-  <p>Our terms have changed.</p>');
    expect(stdout).toContain('+  <p>Our prices have changed.</p>');
    expect(stdout).toContain('removes login/form-content-end: on the tenant but not declared');
    const again = await runCommand(['apply', cwd, '--yes'], { env: tenant.env });
    expect({ code: again.code, writes: writesOf(tenant).length }).toEqual({ code: 0, writes: 1 });
  });

  test('white space alone is named as such', async () => {
    const tenant = await tenantWith({
      prompts: { login: { partials: { login: { 'form-content-start': text('terms') } } } },
    });
    const cwd = await folder({
      'prompts.yaml': yaml.replace(', form-footer-end: "<p>legal</p>"', ''),
      'notice.liquid': text('terms').replaceAll('\n', ' \n'),
    });
    const { stdout } = await runCommand(['plan', cwd], { env: tenant.env });
    expect(stdout).toContain('(whitespace changes only)');
  });
});

describe('a service with the five documented operations only', () => {
  test('is planned and applied as before with api: documented', async () => {
    const tenant = await tenantWith(seedOf(), { api: 'documented' });
    const files = await folder({ ...filesOfEveryKind, 'tenant.yaml': documentedYaml });
    const { code } = await runCommand(['apply', files, '--yes'], { env: tenant.env });
    expect(code).toBe(0);
    expect(writesOf(tenant).sort()).toEqual([
      'DELETE /rate-limit-policies/rlp_client_id_stale',
      'DELETE /roles/rol_1/permissions',
      'PUT /prompts/login/partials',
    ]);
  });

  test('yields the suggestion with api: full, and no write', async () => {
    const tenant = await tenantWith(seedOf(), { api: 'documented' });
    const { code, stdout } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes'], { env: tenant.env });
    expect({ code, writes: writesOf(tenant) }).toEqual({ code: 4, writes: [] });
    expect(stdout).toContain('the service does not have the operation; set api: documented in the header of the files');
  });

  test('the suggestion comes with a write too', async () => {
    const tenant = await tenantWith(seedOf({ rate_limit_policies: [] }), { api: 'documented' });
    const { code, stdout } = await runCommand(['apply', await folder({ 'p.yaml': policiesYaml('default') }), '--yes'], {
      env: tenant.env,
    });
    expect({ code, reported: stdout.includes('set api: documented in the header of the files') }).toEqual({
      code: 1,
      reported: true,
    });
  });
});

describe('a policy that somebody else creates in between', () => {
  test('is reported as a conflict, with what the tenant has now', async () => {
    const tenant = await tenantWith(seedOf({ rate_limit_policies: [] }));
    let changed = false;
    const { code, stdout } = await runCommand(['apply', await folder({ 'p.yaml': policiesYaml('default') })], {
      env: tenant.env,
      confirm: () => {
        changed = true;
        return true;
      },
      beforeAnswer: () =>
        tenant.tenant.change((state) => void state.rate_limit_policies?.push({ ...policyOf('default'), id: 'rlp_9' })),
    });
    expect({ code, changed }).toEqual({ code: 4, changed: true });
    expect(stdout).toContain('1 in conflict');
    expect(stdout).toContain('not sent, because it changed after it was planned; the tenant changed: it exists now');
  });
});

function policyOf(consumer_selector: string) {
  return {
    resource: 'oauth_authentication_api' as const,
    consumer: 'client' as const,
    consumer_selector,
    configuration: { action: 'block' as const, limit: 7 },
  };
}

describe('secrets of event streams', () => {
  const yaml = (endpoint: string) =>
    [
      'event_streams:',
      '  - name: users-to-crm',
      '    subscriptions: [{ event_type: user.created }]',
      '    destination:',
      '      type: webhook',
      '      configuration:',
      `        webhook_endpoint: ${endpoint}`,
      '        webhook_authorization: { method: basic, username: crm, password: "${env:TENANT_VAR_CRM_PASSWORD}" }',
      '',
    ].join('\n');
  const secret = 'planted-crm-password';
  const live = (endpoint: string): Seed => ({
    event_streams: [
      {
        id: 'est_1',
        name: 'users-to-crm',
        status: 'enabled',
        subscriptions: [{ event_type: 'user.created' }],
        destination: {
          type: 'webhook',
          configuration: { webhook_endpoint: endpoint, webhook_authorization: { method: 'basic', username: 'crm' } },
        },
      },
    ],
  });
  const sentBodies = ({ tenant }: StartedTenant) =>
    tenant.requests.filter(({ method }) => method === 'POST' || method === 'PATCH').map(({ body }) => body);

  test('are sent when a stream is created, and shown nowhere', async () => {
    const tenant = await tenantWith({});
    const files = await folder({ 's.yaml': yaml('https://crm.example/hook') });
    const planned = await runCommand(['plan', files, '--format', 'json'], { env: tenant.env });
    expect(planned.code).toBe(0);
    const { stdout, stderr, code } = await runCommand(['apply', files, '--yes', '--detail', 'full'], {
      env: { ...tenant.env, TENANT_VAR_CRM_PASSWORD: secret },
    });
    expect(code).toBe(0);
    expect(JSON.stringify(sentBodies(tenant).at(-1))).toContain(secret);
    expect(planned.stdout + stdout + stderr).not.toContain(secret);
    expect(stdout).toContain('TENANT_VAR_CRM_PASSWORD');
  });

  test('that are not set refuse the apply before anything is sent', async () => {
    const tenant = await tenantWith({});
    const { code, stderr } = await runCommand(
      ['apply', await folder({ 's.yaml': yaml('https://crm.example/hook') }), '--yes'],
      { env: tenant.env },
    );
    expect({ code, writes: writesOf(tenant) }).toEqual({ code: 3, writes: [] });
    expect(stderr).toContain('TENANT_VAR_CRM_PASSWORD is not set; the plan sends it as a secret.');
  });

  test('cannot be compared, which the plan notes; --rotate sends them again', async () => {
    const tenant = await tenantWith(live('https://crm.example/hook'));
    const files = await folder({ 's.yaml': yaml('https://crm.example/hook') });
    const env = { ...tenant.env, TENANT_VAR_CRM_PASSWORD: secret };
    const plan = await runCommand(['plan', files, '--exit-code'], { env });
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('In sync.');
    expect(plan.stdout).toContain('1 secret cannot be compared: stream users-to-crm.\n');
    const json = await runCommand(['plan', files, '--format', 'json'], { env });
    expect(json.stdout).toContain('LIVE_SECRET_NOT_COMPARED');
    expect((await runCommand(['drift', files], { env })).code).toBe(0);
    const { code, stdout } = await runCommand(['apply', files, '--yes', '--rotate', 'event_streams/users-to-crm'], {
      env,
    });
    expect({ code, writes: writesOf(tenant) }).toEqual({ code: 0, writes: ['PATCH /event-streams/est_1'] });
    expect(sentBodies(tenant).at(-1)).toEqual({
      destination: {
        type: 'webhook',
        configuration: {
          webhook_endpoint: 'https://crm.example/hook',
          webhook_authorization: { method: 'basic', username: 'crm', password: secret },
        },
      },
    });
    expect(stdout).not.toContain(secret);
  });

  test.each(['event_streams/users-to-crn', 'event_streams', 'streams/x'])(
    '--rotate %s that sends nothing is refused',
    async (selector) => {
      const tenant = await tenantWith(live('https://crm.example/hook'));
      const files = await folder({
        's.yaml': yaml('https://crm.example/hook').replace(
          ', password: "${env:TENANT_VAR_CRM_PASSWORD}"',
          selector === 'event_streams' ? '' : '$&',
        ),
      });
      const { code, stderr } = await runCommand(['apply', files, '--yes', '--rotate', selector], {
        env: { ...tenant.env, TENANT_VAR_CRM_PASSWORD: secret },
      });
      expect({ code, writes: writesOf(tenant) }).toEqual({ code: 3, writes: [] });
      expect(stderr).toMatch(/OPTION_(MATCHES_NOTHING|INVALID)/);
    },
  );

  test('a saved plan with a rotation is applied as it was saved', async () => {
    const tenant = await tenantWith(live('https://crm.example/hook'));
    const files = await folder({ 's.yaml': yaml('https://crm.example/hook') });
    const env = { ...tenant.env, TENANT_VAR_CRM_PASSWORD: secret };
    const out = `${files}/plan.json`;
    expect((await runCommand(['plan', files, '--rotate', 'event_streams/*', '--out', out], { env })).code).toBe(0);
    expect((await runCommand(['apply', files, '--yes', '--plan', out], { env })).code).toBe(0);
    expect(writesOf(tenant)).toEqual(['PATCH /event-streams/est_1']);
  });

  test('a saved plan that sends one with another change leaves nothing to do, also when it is applied again', async () => {
    const tenant = await tenantWith(live('https://crm.example/hook'));
    const files = await folder({ 's.yaml': yaml('https://crm.example/other') });
    const env = { ...tenant.env, TENANT_VAR_CRM_PASSWORD: secret };
    const out = `${files}/plan.json`;
    expect((await runCommand(['plan', files, '--rotate', 'event_streams/*', '--out', out], { env })).code).toBe(0);
    const state = `${files}/state`;
    for (const options of [['--plan', out], ['--plan', out], []]) {
      const { code, stderr } = await runCommand(['apply', files, '--yes', '--state-dir', state, ...options], { env });
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('APPLY_SECRET_UNKNOWN') });
    }
    expect(writesOf(tenant)).toEqual(['PATCH /event-streams/est_1']);
  });
});

describe('scopes', () => {
  const limited = {
    ...testClient,
    scopes: ['read:rate_limit_policies', 'read:roles', 'read:prompts', 'read:event_streams'],
  };

  test('plan --print-scopes names what plan and apply need', async () => {
    const tenant = await tenantWith(seedOf());
    const { stdout } = await runCommand(['plan', await folder(filesOfEveryKind), '--print-scopes'], {
      env: tenant.env,
    });
    expect(stdout).toContain('plan needs read:event_streams read:prompts read:rate_limit_policies read:roles');
    expect(stdout).toContain(
      'apply needs create:event_streams create:rate_limit_policies create:roles delete:event_streams delete:rate_limit_policies delete:roles read:event_streams read:prompts read:rate_limit_policies read:roles update:event_streams update:prompts update:rate_limit_policies update:roles\n',
    );
    expect(stdout).toContain(
      'counts and names (optional) need read:clients read:group_roles read:resource_servers read:users\n',
    );
  });

  test('a missing one is named before the first write, and nothing is sent', async () => {
    const tenant = await tenantWith(seedOf({ clients: [limited] }));
    const { code, stderr } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes'], { env: tenant.env });
    expect({ code, writes: writesOf(tenant) }).toEqual({ code: 4, writes: [] });
    for (const scope of ['delete:rate_limit_policies', 'update:prompts', 'update:roles'])
      expect(stderr).toContain(`The token lacks the scope ${scope}`);
  });

  test('a kind that may not be read is reported with its scope and never treated as empty', async () => {
    const tenant = await tenantWith(
      seedOf({ clients: [{ ...testClient, scopes: testClient.scopes.filter((scope) => scope !== 'read:roles') }] }),
    );
    const { code, stdout } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes'], { env: tenant.env });
    expect({ code, writes: writesOf(tenant) }).toEqual({ code: 4, writes: [] });
    expect(stdout).toContain('the operation needs the scope read:roles');
  });
});

describe('the number of requests', () => {
  test('of a plan is what has to be read; of an apply one more for each action, and what a response does not show', async () => {
    const count = 250;
    const tenant = await tenantWith({
      rate_limit_policies: Array.from({ length: count }, (_none, index) => ({
        ...policyOf(`client_id:${index}`),
        id: `rlp_${index}`,
      })),
      roles: [
        { id: 'rol_1', name: 'A', permissions: names(250).map(pair) },
        { id: 'rol_2', name: 'B', permissions: [] },
      ],
    });
    const files = await folder({
      'p.yaml': `rate_limit_policies:\n${Array.from({ length: count }, (_none, index) => `  - { resource: oauth_authentication_api, consumer: client, consumer_selector: "client_id:${index}", configuration: { action: block, limit: 7 } }\n`).join('')}`,
      'r.yaml': `${roleYaml(names(250), 'id: rol_1')}${roleYaml(['fresh'], 'name: B').replace('roles:\n', '')}`,
      's.yaml': 'event_streams: []\n',
      'l.yaml': 'prompts:\n  login: { partials: {} }\n  signup: { partials: {} }\n  login-id: {}\n',
    });
    await runCommand(['plan', files], { env: tenant.env });
    // Three pages of policies, one of roles, three and one of permissions, one of APIs for the permission to add, two
    // prompts, one page of streams, one token.
    expect(requestsOf(tenant)).toHaveLength(3 + 1 + 3 + 1 + 1 + 2 + 1 + 1);
    const before = requestsOf(tenant).length;
    expect((await runCommand(['apply', files, '--yes'], { env: tenant.env })).code).toBe(0);
    // The response to the permission that was added is empty: the role is read again, and found by its name.
    expect(requestsOf(tenant)).toHaveLength(before + before + 1 + 2);
    const between = requestsOf(tenant).length;
    expect((await runCommand(['apply', files, '--yes'], { env: tenant.env })).code).toBe(0);
    // Nothing is added any more.
    expect(requestsOf(tenant)).toHaveLength(between + before - 1);
  });
});

describe('a list that moves while it is read', () => {
  const many = (count: number): Seed => ({
    rate_limit_policies: Array.from({ length: count }, (_none, index) => ({
      ...policyOf(`client_id:${index}`),
      id: `rlp_${String(index).padStart(4, '0')}`,
    })),
  });
  const yaml = (count: number) =>
    `rate_limit_policies:\n${Array.from({ length: count }, (_none, index) => `  - { resource: oauth_authentication_api, consumer: client, consumer_selector: "client_id:${index}", configuration: { action: block, limit: 7 } }\n`).join('')}`;
  const lists = (tenant: StartedTenant) =>
    requestsOf(tenant).filter((request) => request === 'GET /rate-limit-policies').length;

  test('does not make an item that one pass missed look as if it were gone', async () => {
    const tenant = await tenantWith(many(150), {
      faults: [{ operation: 'list_rate_limit_policies', kind: 'drop_item', nth: 2 }],
    });
    const { code, stdout } = await runCommand(['plan', await folder({ 'p.yaml': yaml(150) }), '--exit-code'], {
      env: tenant.env,
    });
    expect({ code, sync: stdout.includes('In sync.'), lists: lists(tenant) }).toEqual({
      code: 0,
      sync: true,
      // Two pages, and the one policy by its identity.
      lists: 3,
    });
  });

  test('what two passes miss is created', async () => {
    const tenant = await tenantWith(many(149));
    const { stdout } = await runCommand(['plan', await folder({ 'p.yaml': yaml(150) }), '--format', 'json'], {
      env: tenant.env,
    });
    expect({ create: JSON.parse(stdout).summary.create, lists: lists(tenant) }).toEqual({ create: 1, lists: 3 });
  });

  test('one page is one moment', async () => {
    const tenant = await tenantWith(many(99));
    await runCommand(['plan', await folder({ 'p.yaml': yaml(100) })], { env: tenant.env });
    expect(lists(tenant)).toBe(1);
  });
});
