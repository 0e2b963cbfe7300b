// pull in a project: what differs goes into one layer of the tenant, and into no other.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const project = [
  'tenants:',
  '  acme-dev: { layers: [base, env/dev], environment: ACME_DEV, variables: { limit: 50 } }',
  '  acme-prod: { layers: [base, env/prod], environment: ACME_PROD }',
  '  globex: { layers: [base, env/prod, customers/globex], environment: ACME_PROD }',
  '',
].join('\n');

const files = {
  'tenant-sync.yaml': project,
  'base/policies.yaml': [
    'rate_limit_policies:',
    '  # The limit of a stage is its variable.',
    '  - { consumer_selector: default, configuration: { action: block, limit: "${var:limit}" } }',
    '  - { consumer_selector: third_party_clients, configuration: { action: block, limit: 7 } }',
    '',
  ].join('\n'),
  'base/vars.yaml': 'limit: 100\n',
  'base/roles.yaml': 'roles:\n  - { name: Support, description: Helps, permissions: [] }\n',
  'base/prompts.yaml': [
    'prompts:',
    '  login: { partials: { login: { form-content-start: base, form-content-end: { file: texts/end.liquid } } } }',
    '',
  ].join('\n'),
  'base/texts/end.liquid': 'end\n',
  'env/dev/policies.yaml': [
    'rate_limit_policies:',
    '  - consumer_selector: third_party_clients   # fewer',
    '    configuration: { action: log, limit: 9 }',
    '',
  ].join('\n'),
  'env/prod/roles.yaml': 'roles:\n  - { name: Support, description: Production }\n',
  'customers/globex/roles.yaml': 'roles:\n  - { name: Globex, description: Only here, permissions: [] }\n',
};

const prompts = { login: { partials: { login: { 'form-content-start': 'base', 'form-content-end': 'end\n' } } } };
const supportRole = { id: 'rol_1', name: 'Support', description: 'Helps', permissions: [] };
/** What acme-dev declares. */
const seed: Seed = {
  rate_limit_policies: [
    livePolicy('default', 50),
    { ...livePolicy('third_party_clients'), configuration: { action: 'log', limit: 9 } },
  ],
  roles: [supportRole],
  prompts,
};

async function setUp(live: Seed = {}, more: Readonly<Record<string, string>> = {}) {
  const tenant = await tenantWith({ ...seed, ...live });
  const root = await folder({ ...files, ...more });
  const env = Object.fromEntries(
    Object.entries(tenant.env).flatMap(([name, value]) =>
      ['ACME_DEV', 'ACME_PROD'].map((prefix) => [name.replace('TENANT_SYNC', prefix), value]),
    ),
  );
  const run = (...argv: string[]) => runCommand(argv, { cwd: root, env });
  const text = (file: string) => readFile(join(root, file), 'utf8');
  /** Pulls, and pulls and compares again. */
  const pull = async (...argv: string[]) => {
    const first = await run('pull', '.', '--yes', ...argv);
    const again = await run('pull', '.', '--check', ...argv);
    const { code } = await run('drift', '.', ...argv.slice(0, 2));
    return { ...first, again: again.stdout, drift: code };
  };
  return { root, run, text, pull, tenant };
}

const dev = ['--tenant', 'acme-dev'];

const other = { id: 'rol_2', name: 'New', permissions: [] };

describe('which layer', () => {
  test('nothing differs', async () => {
    const { pull } = await setUp();
    const { code, stdout, stderr, drift } = await pull(...dev);
    expect(stderr).toBe('');
    expect(stdout).toContain('The files match the tenant');
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
  });

  test.each([
    [['--tenant', 'acme-prod'], 'The last layer of acme-prod, "env/prod", is also a layer of globex.'],
    [['--tenant', 'acme-prod'], 'add --layer env/prod to change it for all of them'],
    [['--tenant', 'acme-dev', '--layer', 'env/dve'], 'did you mean "env/dev"?'],
    [['--tenant', 'acme-dev', '--layer', 'env/prod'], 'is not a layer of acme-dev'],
    [['--tenant', 'acme-dev', '--layer', 'x'], 'its layers are base, env/dev'],
    [['--tenant', 'acme-*'], 'The last layer of acme-prod, "env/prod", is also a layer of globex.'],
    [['--all'], 'The last layer of acme-prod'],
    [['--tenant', 'acme-*', '--layer', 'env/dev'], '--layer is about one tenant'],
    [['--tenant', 'acme-dev', '--fix-approvals'], 'delete the codes where they are written'],
    [[], 'add --tenant NAME'],
  ])('%j: nothing is read or written', async (argv, words) => {
    const { run, text, tenant } = await setUp({ roles: [] });
    const { code, stderr } = await run('pull', '.', '--yes', ...argv);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(words) });
    expect(tenant.tenant.requests).toEqual([]);
    for (const [file, before] of Object.entries(files)) expect(await text(file)).toBe(before);
  });

  test('a folder has no layers', async () => {
    const { run } = await setUp({}, { 'alone/a.yaml': 'roles: []\n' });
    const { code, stderr } = await run('pull', 'alone', '--layer', 'base');
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('has no layer "base"') });
  });

  test('one that several tenants have is edited with --layer', async () => {
    const { pull, text } = await setUp({ roles: [{ ...supportRole, description: 'All stages' }] });
    const { code, drift, again } = await pull('--tenant', 'acme-prod', '--layer', 'env/prod');
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(again).toContain('The files match');
    expect(await text('env/prod/roles.yaml')).toBe('roles:\n  - { name: Support, description: All stages }\n');
    expect(await text('env/prod/rate-limit-policies.yaml')).toContain('limit: 9');
  });

  test('an interrupted writing is finished', async () => {
    const left = {
      'env/dev/.tenant-sync-pull.json': '["roles"]\n',
      'base/header.yaml': 'tenant: { undeclared: { roles: ignore } }\n',
    };
    const { run, text } = await setUp({ roles: [supportRole, other] }, left);
    const { code, stderr } = await run('pull', '.', '--yes', ...dev);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('An earlier pull was interrupted.') });
    expect(await text('env/dev/roles.yaml')).toContain('name: New');
    await expect(text('env/dev/.tenant-sync-pull.json')).rejects.toThrow('ENOENT');
  });

  test('layers without any file get the complete tenant', async () => {
    const { run, text, pull } = await setUp(
      { resource_servers: [] },
      {
        'tenant-sync.yaml': 'tenants: { a: { layers: [empty, new], environment: ACME_DEV } }\n',
        'empty/vars.yaml': 'x: 1\n',
        'new/vars.yaml': 'x: 1\n',
      },
    );
    const { code, drift, again } = await pull('--tenant', 'a');
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(again).toContain('The files match');
    expect(await text('new/tenant.yaml')).toContain('tenant: {}\n');
    expect(await text('new/roles.yaml')).toContain('Support');
    expect((await run('validate', '.', '--tenant', 'a')).code).toBe(0);
  });
});

describe('what differs', () => {
  const everything: Seed = {
    rate_limit_policies: [livePolicy('default', 60), livePolicy('client_id:new', 1)],
    roles: [{ ...supportRole, description: 'Other' }, other],
    prompts: {
      login: {
        partials: { login: { 'form-content-start': 'mine', 'form-content-end': 'e2\n', 'form-footer-end': 'f' } },
      },
    },
  };

  test('is an override in the last layer', async () => {
    const { pull } = await setUp(everything);
    const { code, stdout, stderr, again, drift } = await pull(...dev);
    expect({ code, drift, stderr }).toEqual({ code: 0, drift: 0, stderr: 'Wrote 6 files.\n' });
    expect(again).toContain('The files match');
    expect(stdout.replace(/http:\S+v2/, 'URL')).toMatchInlineSnapshot(`
      "--- /dev/null
      +++ b/env/dev/partials/login/login-form-content-start.liquid
      @@ -0,0 +1 @@
      +mine
      \\ No newline at end of file
      --- /dev/null
      +++ b/env/dev/partials/login/login-form-content-end.liquid
      @@ -0,0 +1 @@
      +e2
      --- /dev/null
      +++ b/env/dev/partials/login/login-form-footer-end.liquid
      @@ -0,0 +1 @@
      +f
      --- a/env/dev/policies.yaml
      +++ b/env/dev/policies.yaml
      @@ -1,3 +1,7 @@
       rate_limit_policies:
      +  - consumer_selector: default
      +    configuration: { action: block, limit: 60 }
      +  - consumer_selector: client_id:new
      +    configuration: { action: block, limit: 1 }
         - consumer_selector: third_party_clients   # fewer
      -    configuration: { action: log, limit: 9 }
      +    absent: true
      --- /dev/null
      +++ b/env/dev/roles.yaml
      @@ -0,0 +1,6 @@
      +# yaml-language-server: $schema=node_modules/tenant-sync/schemas/config.schema.json
      +roles:
      +  - name: Support
      +    description: Other
      +  - name: New
      +    permissions: []
      --- /dev/null
      +++ b/env/dev/prompts.yaml
      @@ -0,0 +1,8 @@
      +# yaml-language-server: $schema=node_modules/tenant-sync/schemas/config.schema.json
      +prompts:
      +  login:
      +    partials:
      +      login:
      +        form-content-start: { file: partials/login/login-form-content-start.liquid }
      +        form-content-end: { file: partials/login/login-form-content-end.liquid }
      +        form-footer-end: { file: partials/login/login-form-footer-end.liquid }

      5 new files, 1 changed file, 2 items added, 4 changed, 0 removed. Read from URL.
      "
    `);
  });

  test('is written as it is in the layer itself', async () => {
    const { pull, text } = await setUp({
      ...seed,
      rate_limit_policies: [
        livePolicy('default', 50),
        { ...livePolicy('third_party_clients'), configuration: { action: 'log', limit: 10 } },
      ],
    });
    const { code, drift } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(await text('env/dev/policies.yaml')).toBe(files['env/dev/policies.yaml'].replace('9', '10'));
  });

  test('of a shared layer is edited in place there, and what a later one declares stays', async () => {
    const { pull, text } = await setUp({
      ...everything,
      rate_limit_policies: [
        livePolicy('default', 60),
        { ...livePolicy('third_party_clients'), configuration: { action: 'log', limit: 1 } },
      ],
    });
    const { code, stderr, drift, again } = await pull(...dev, '--layer', 'base');
    expect({ code, drift }).toEqual({ code: 0, drift: 2 });
    expect(stderr).toContain(
      'configuration.limit of rate_limit_policies/oauth_authentication_api/client/third_party_clients is declared in a later layer, at env/dev/policies.yaml:3:42, so this difference stays.',
    );
    expect(again).toContain('Nothing to write. 1 item of the files differs from the tenant and is kept.');
    expect(await text('base/policies.yaml')).toBe(files['base/policies.yaml'].replace('"${var:limit}"', '60'));
    expect(await text('base/texts/end.liquid')).toBe('e2\n');
    expect(await text('env/dev/policies.yaml')).toBe(files['env/dev/policies.yaml']);
  });

  test('--check writes nothing, and names the line that differs', async () => {
    const { run, text } = await setUp(everything);
    const { code, stdout } = await run('pull', '.', '--check', '--format', 'json', ...dev);
    expect(code).toBe(2);
    const edits = JSON.parse(stdout).edits.map((one: { readonly source: object }) => Object.values(one).map(String));
    expect(edits).toHaveLength(6);
    expect(JSON.parse(stdout).edits).toContainEqual({
      change: 'edit',
      kind: 'roles',
      key: 'Support',
      source: { file: 'base/roles.yaml', line: 2, column: 5 },
    });
    expect(await text('env/dev/policies.yaml')).toBe(files['env/dev/policies.yaml']);
  });

  test('an item that is gone is absent, or unmanaged where it is protected', async () => {
    const apis = 'resource_servers:\n  - { identifier: https://a.example/, scopes: [{ value: read }] }\n';
    const header = 'tenant: { protect: { rate_limit_policies: [default] } }\n';
    const { pull, text } = await setUp(
      { rate_limit_policies: [], roles: [], resource_servers: [] },
      { 'base/apis.yaml': apis, 'base/header.yaml': header },
    );
    const { code, drift, again } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(again).toContain('The files match');
    expect(await text('env/dev/policies.yaml')).toMatchInlineSnapshot(`
      "rate_limit_policies:
        - consumer_selector: default
          unmanaged: true
        - consumer_selector: third_party_clients   # fewer
          absent: true
      "
    `);
    expect(await text('env/dev/roles.yaml')).toContain('  - name: Support\n    absent: true\n');
    expect(await text('env/dev/resource-servers.yaml')).toContain(
      '  - identifier: https://a.example/\n    absent: true\n',
    );
  });

  test('what a later layer declares as well is not removed', async () => {
    const { pull, text } = await setUp({ rate_limit_policies: [livePolicy('default', 50)] });
    const { stderr, drift } = await pull(...dev, '--layer', 'base');
    expect(drift).toBe(2);
    expect(stderr).toContain('third_party_clients is declared in a later layer, at env/dev/policies.yaml:2:5');
    expect(await text('base/policies.yaml')).toBe(files['base/policies.yaml']);
  });

  test('a text of another layer that is gone stays, and one of this layer goes', async () => {
    const own = 'prompts:\n  login: { partials: { login: { form-footer-end: x } } }\n';
    const { pull, text } = await setUp(
      { prompts: { login: { partials: { login: { 'form-content-start': 'base' } } } } },
      { 'env/dev/prompts.yaml': own },
    );
    const { stderr, drift, again } = await pull(...dev);
    expect(drift).toBe(2);
    expect(stderr).toContain(
      'partials.login.form-content-end of prompts/login is declared in an earlier layer, at base/prompts.yaml:2:',
    );
    expect(again).toContain('Nothing to write.');
    expect(await text('env/dev/prompts.yaml')).toBe('prompts:\n  login: { partials: {} }\n');
  });

  test('a text of another layer that this one refers to stays there', async () => {
    const own = [
      'prompts:',
      '  login: { partials: { login: { form-content-start: { file: ../../base/texts/end.liquid } } } }',
      '',
    ].join('\n');
    const { pull, text } = await setUp(
      { prompts: { login: { partials: { login: { 'form-content-start': 'new\n', 'form-content-end': 'new\n' } } } } },
      { 'env/dev/prompts.yaml': own },
    );
    const { code, drift } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(await text('base/texts/end.liquid')).toBe('end\n');
    expect(await text('env/dev/prompts.yaml')).toContain('file: partials/login/login-form-content-start.liquid');
  });

  test('a text of this layer to which another one refers stays as it is', async () => {
    const { pull, text } = await setUp(
      { prompts: { login: { partials: { login: { 'form-content-start': 'base', 'form-content-end': 'new\n' } } } } },
      {
        'tenant-sync.yaml': project
          .replace('[base, env/prod]', '[base, env/dev, env/prod]')
          .replace('acme-dev: { layers: [base, env/dev]', 'acme-dev: { layers: [base, env/dev, mine]'),
        'mine/a.yaml': 'tenant: {}\n',
        'base/prompts.yaml': files['base/prompts.yaml'].replace('texts/end', '../env/dev/end'),
        'env/dev/end.liquid': 'end\n',
      },
    );
    const { code, drift } = await pull(...dev, '--layer', 'env/dev');
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(await text('env/dev/end.liquid')).toBe('end\n');
    expect(await text('env/dev/partials/login/login-form-content-end.liquid')).toBe('new\n');
  });

  test('a renamed item of another layer is absent, and declared under its new name', async () => {
    const role = { ...supportRole, permissions: [] };
    const { pull, text } = await setUp({ roles: [{ ...role, name: 'Help' }] });
    const { code, drift } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(await text('env/dev/roles.yaml')).toContain(
      'roles:\n  - name: Support\n    absent: true\n  - name: Help\n    description: Helps\n',
    );
  });

  test.each([
    [
      'is absent, and declared under the name that the tenant has',
      undefined,
      [supportRole],
      'absent: true\n  - name: Support\n',
    ],
    [
      'also where the layer overrides it',
      'name: Help, description: x',
      [supportRole],
      'absent: true }\n  - { name: Support, description: Helps',
    ],
    ['is absent if the tenant has neither name', undefined, [], 'absent: true\n'],
  ])('an item of another layer that waits for its rename %s', async (_name, own, roles, expected) => {
    const { pull, text } = await setUp(
      { roles },
      {
        'base/roles.yaml': 'roles: [{ name: Help, renamed_from: Support, description: Helps, permissions: [] }]\n',
        ...(own !== undefined && { 'env/dev/roles.yaml': `roles:\n  - { ${own} }\n` }),
      },
    );
    const { code, drift, again } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(again).toContain('The files match');
    expect(await text('env/dev/roles.yaml')).toContain(expected);
  });

  test('what a later layer declares as well stays, and is added under the name that the tenant has', async () => {
    const { pull, text } = await setUp(
      { roles: [{ ...supportRole, name: 'Help', description: 'Other' }] },
      { 'env/dev/roles.yaml': 'roles: [{ name: Support, description: Other }]\n' },
    );
    const { code, drift, stderr } = await pull(...dev, '--layer', 'base');
    expect({ code, drift }).toEqual({ code: 0, drift: 2 });
    expect(stderr).toContain('roles/Support is declared in a later layer, at env/dev/roles.yaml:1:');
    expect(await text('base/roles.yaml')).toBe(
      files['base/roles.yaml'].replace('- {', '- { name: Help, description: Other, permissions: [] }\n  - {'),
    );
  });

  test('what a later layer declares as well waits for its rename', async () => {
    const roles = 'roles: [{ name: Help, renamed_from: Support, description: Helps, permissions: [] }]\n';
    const { pull, text } = await setUp(
      {},
      { 'base/roles.yaml': roles, 'env/dev/roles.yaml': 'roles: [{ name: Help, description: Helps }]\n' },
    );
    const { code, drift, stderr } = await pull(...dev, '--layer', 'base');
    expect({ code, drift }).toEqual({ code: 0, drift: 2 });
    expect(stderr).toContain('roles/Help is declared in a later layer, at env/dev/roles.yaml:1:');
    expect(await text('base/roles.yaml')).toBe(roles);
  });

  test('an item that the layer gives up and a later one declares again stays', async () => {
    const { pull } = await setUp(
      { roles: [{ ...supportRole, description: 'Live' }] },
      {
        'tenant-sync.yaml': project.replace('[base, env/dev]', '[base, env/dev, mine]'),
        'env/dev/roles.yaml': 'roles: [{ name: Support, absent: true }]\n',
        'mine/roles.yaml': 'roles: [{ name: Support, absent: false }]\n',
      },
    );
    const { code, drift, stderr } = await pull(...dev, '--layer', 'env/dev');
    expect({ code, drift }).toEqual({ code: 0, drift: 2 });
    expect(stderr).toContain('at mine/roles.yaml:1:');
  });

  test('a field is written with those that files require beside it', async () => {
    const stream = { name: 'crm', subscriptions: [{ event_type: 'user.created' }], status: 'enabled' as const };
    const destination = { type: 'webhook' as const, configuration: { webhook_endpoint: 'https://crm.example/hook' } };
    const { pull, text } = await setUp(
      { event_streams: [{ id: 'est_1', ...stream, destination, status: 'disabled' }] },
      { 'base/streams.yaml': JSON.stringify({ event_streams: [{ ...stream, destination }] }) },
    );
    const { code, drift } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(await text('env/dev/event-streams.yaml')).toMatch(/webhook_endpoint[\s\S]*status: disabled/);
  });

  test('of a field of an object, nothing else of the object is written', async () => {
    const options = { disable_signup: false, brute_force_protection: true };
    const connection = { name: 'users', strategy: 'auth0' };
    const declared = { ...connection, display_name: 'Users', options };
    const { pull, text } = await setUp(
      { connections: [{ id: 'con_1', ...declared, options: { ...options, disable_signup: true } }] } as never,
      { 'base/connections.yaml': JSON.stringify({ connections: [declared] }) },
    );
    const { code, drift } = await pull(...dev);
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
    expect(parse(await text('env/dev/connections.yaml'))).toEqual({
      connections: [{ ...connection, options: { disable_signup: true } }],
    });
  });

  test('an item that no file can express is protected in the layer', async () => {
    const { pull, text } = await setUp({
      rate_limit_policies: [
        ...(seed.rate_limit_policies ?? []),
        livePolicy('client_id:twice', 1),
        { ...livePolicy('client_id:twice', 2), id: 'rlp_x' },
      ],
    });
    await pull(...dev);
    expect(await text('env/dev/tenant.yaml')).toContain('protect:');
  });
});

test('a plan points to the layer whose field it changes', async () => {
  const { run } = await setUp(
    { roles: [{ ...supportRole, description: 'Live' }] },
    { 'env/dev/roles.yaml': 'roles:\n  - { name: Support, permissions: [] }\n' },
  );
  const { stdout } = await run('plan', '.', ...dev, '--format', 'json');
  const { actions } = JSON.parse(stdout);
  expect(actions).toMatchObject([{ key: 'Support', source: { file: 'base/roles.yaml', line: 2 } }]);
});

describe('several tenants', () => {
  const both = ['--tenant', 'acme-dev', '--tenant', 'globex'];
  const changed = { roles: [{ ...supportRole, description: 'By hand' }] };

  test('each gets its differences in its own layer', async () => {
    const { run, text } = await setUp(changed);
    const { code, stdout, stderr } = await run('pull', '.', '--yes', ...both);
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({ code: 0, stderr: 'Wrote 3 files.' });
    expect(stdout).toContain('acme-dev: 1 new file, 0 items added, 1 changed');
    expect(stdout).toMatch(/^globex: .*1 changed file/m);
    expect(await text('env/dev/roles.yaml')).toContain('By hand');
    expect(await text('customers/globex/roles.yaml')).toContain('By hand');
    for (const file of ['base/roles.yaml', 'env/prod/roles.yaml'] as const) expect(await text(file)).toBe(files[file]);
    const again = await run('drift', '.', ...both);
    expect(again.code).toBe(0);
  });

  test('--check writes nothing and exits with 2; each document is one of a list', async () => {
    const { run, text } = await setUp(changed);
    const { code, stdout } = await run('pull', '.', '--check', '--format', 'json', ...both);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).map((one: { readonly tenant: { readonly name: string } }) => one.tenant.name)).toEqual([
      'acme-dev',
      'globex',
    ]);
    expect(await text('customers/globex/roles.yaml')).toBe(files['customers/globex/roles.yaml']);
  });

  test('a shard has its tenants alone', async () => {
    const { run } = await setUp(changed);
    const shards = await Promise.all(
      ['1/2', '2/2'].map((shard) => run('pull', '.', '--check', '--shard', shard, ...both)),
    );
    const named = shards.map(({ stdout }) => ['acme-dev', 'globex'].filter((name) => stdout.includes(`${name}: `)));
    expect(named.flat().toSorted()).toEqual(['acme-dev', 'globex']);
  });

  test('one that cannot be read stops no other', async () => {
    const { root, tenant } = await setUp(changed);
    const env = Object.fromEntries(
      Object.entries(tenant.env).flatMap(([name, value]) => [
        [name.replace('TENANT_SYNC', 'ACME_DEV'), value],
        [name.replace('TENANT_SYNC', 'ACME_PROD'), name.endsWith('SECRET') ? 'wrong-secret' : value],
      ]),
    );
    const { code, stdout } = await runCommand(['pull', '.', '--yes', ...both], { cwd: root, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('globex: ') });
    expect(await readFile(join(root, 'env/dev/roles.yaml'), 'utf8')).toContain('By hand');
    expect(await readFile(join(root, 'customers/globex/roles.yaml'), 'utf8')).toBe(
      files['customers/globex/roles.yaml'],
    );
  });
});
