// The files of a tenant that is made of layers: what each declares, which one counts, and where it is written.
import { link, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layeredSource } from '../../src/config/files/layered-source.ts';
import { loadDesired } from '../../src/config/load-desired.ts';
import { locationText } from '../../src/diagnostics/source-text.ts';
import type { Source } from '../../src/model/diagnostic.ts';
import { filesAt } from '../../src/model/file-source.ts';
import { valueAt } from '../../src/values/json-pointer.ts';
import { kinds } from '../support/all-kinds.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { memorySource } from '../support/memory-source.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const project = [
  'tenants:',
  '  acme-dev: { layers: [base, env/dev], environment: ACME_DEV, variables: { limit: 50 } }',
  '  acme-prod: { layers: [base, env/prod], environment: ACME_PROD, wave: 2 }',
  '',
].join('\n');

const base = {
  'base/policies.yaml': [
    'tenant: { guards: { max_delete_count: 2 }, protect: { rate_limit_policies: [default] } }',
    'rate_limit_policies:',
    '  - { consumer_selector: default, configuration: { action: block, limit: "${var:limit}" } }',
    '  - { consumer_selector: third_party_clients, configuration: { action: block, limit: 7 } }',
    '',
  ].join('\n'),
  'base/vars.yaml': 'limit: 100\n',
  'base/prompts.yaml':
    'prompts:\n  login: { partials: { login: { form-content-start: base, form-content-end: { file: texts/end.liquid } } } }\n',
  'base/texts/end.liquid': 'end\n',
};

const layers = {
  'tenant-sync.yaml': project,
  ...base,
  'env/dev/policies.yaml': 'rate_limit_policies:\n  - { consumer_selector: third_party_clients, absent: true }\n',
  'env/dev/prompts.yaml':
    'prompts:\n  login: { partials: { login: { form-content-start: { file: ../../base/texts/end.liquid } } } }\n',
  'env/prod/policies.yaml': [
    'tenant: { guards: { max_delete_percent: 10 }, protect: { rate_limit_policies: ["client_id:x"] } }',
    'rate_limit_policies:',
    '  - { consumer_selector: third_party_clients, configuration: { action: log, limit: 9 } }',
    '',
  ].join('\n'),
};

const seed = {
  rate_limit_policies: [livePolicy('default', 5), livePolicy('third_party_clients', 7), livePolicy('client_id:x', 1)],
  resource_servers: [],
};

async function setUp(files: Readonly<Record<string, string>> = layers) {
  const tenant = await tenantWith(seed);
  const root = await folder(files);
  const env = Object.fromEntries(
    Object.entries(tenant.env).flatMap(([name, value]) =>
      ['ACME_DEV', 'ACME_PROD'].map((prefix) => [name.replace('TENANT_SYNC', prefix), value]),
    ),
  );
  const run = (...argv: string[]) => runCommand(argv, { cwd: root, env });
  const planOf = async (name: string) => {
    const { stdout, stderr } = await run('plan', '.', '--tenant', name, '--format', 'json');
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  return { root, run, planOf, tenant };
}

describe('a tenant of a project', () => {
  test('has the fields of its later layers, its variables and its texts', async () => {
    const { planOf } = await setUp();
    const dev = await planOf('acme-dev');
    expect(dev.tenant.name).toBe('acme-dev');
    expect(actionsOf(dev)).toMatchInlineSnapshot(`
      [
        [
          "update",
          "oauth_authentication_api/client/default",
          {
            "configuration": {
              "action": "block",
              "limit": 50,
            },
            "consumer": "client",
            "consumer_selector": "default",
            "resource": "oauth_authentication_api",
          },
          "base/policies.yaml:3",
        ],
        [
          "put",
          "login",
          {
            "login": {
              "form-content-end": "end
      ",
              "form-content-start": "end
      ",
            },
          },
          "env/dev/prompts.yaml:2",
        ],
        [
          "delete",
          "oauth_authentication_api/client/client_id:x",
          null,
          null,
        ],
        [
          "delete",
          "oauth_authentication_api/client/third_party_clients",
          null,
          "env/dev/policies.yaml:2",
        ],
      ]
    `);
    const prod = await planOf('acme-prod');
    expect(actionsOf(prod)).toMatchInlineSnapshot(`
      [
        [
          "update",
          "oauth_authentication_api/client/default",
          {
            "configuration": {
              "action": "block",
              "limit": 100,
            },
            "consumer": "client",
            "consumer_selector": "default",
            "resource": "oauth_authentication_api",
          },
          "base/policies.yaml:3",
        ],
        [
          "update",
          "oauth_authentication_api/client/third_party_clients",
          {
            "configuration": {
              "action": "log",
              "limit": 9,
            },
            "consumer": "client",
            "consumer_selector": "third_party_clients",
            "resource": "oauth_authentication_api",
          },
          "env/prod/policies.yaml:3",
        ],
        [
          "put",
          "login",
          {
            "login": {
              "form-content-end": "end
      ",
              "form-content-start": "base",
            },
          },
          "base/prompts.yaml:2",
        ],
        [
          "LIVE_PROTECTED",
          "oauth_authentication_api/client/client_id:x",
          null,
          null,
        ],
      ]
    `);
  });

  test('is applied, and then in sync', async () => {
    const { run } = await setUp();
    expect(await run('apply', '.', '--tenant', 'acme-dev', '--yes')).toMatchObject({ code: 0 });
    const { code, stdout } = await run('plan', '.', '--tenant', 'acme-dev', '--exit-code');
    expect(stdout).toContain('acme-dev');
    expect(code).toBe(0);
    expect((await run('drift', '.', '--tenant', 'acme-dev')).code).toBe(0);
  });
});

describe('what later layers may say', () => {
  const itemsOf = async (files: Readonly<Record<string, string>>) => {
    const { run } = await setUp({ 'tenant-sync.yaml': 'tenants: { a: { layers: [one, two, three] } }\n', ...files });
    const { code, stdout } = await run('validate', '.', '--tenant', 'a', '--format', 'json');
    return { code, codes: JSON.parse(stdout).diagnostics.map((one: { readonly code: string }) => one.code), stdout };
  };
  const policy = (more: string) => `rate_limit_policies:\n  - { consumer_selector: default, ${more} }\n`;
  const block = 'configuration: { action: block, limit: 1 }';

  test.each(['absent', 'unmanaged'])('an item that is %s is declared again only with a word', async (state) => {
    const files = { 'one/a.yaml': policy(block), 'two/a.yaml': policy(`${state}: true`) };
    const revived = await itemsOf({ ...files, 'three/a.yaml': policy(block) });
    expect(revived).toMatchObject({ code: 3, codes: expect.arrayContaining(['CONFIG_LAYER_STATE']) });
    expect(revived.stdout).toContain('two/a.yaml:2:26');
    expect(revived.stdout).toContain('"file": "three/a.yaml"');
    expect(await itemsOf({ ...files, 'three/a.yaml': policy(`${state}: false, ${block}`) })).toMatchObject({ code: 0 });
    expect(await itemsOf({ ...files, 'three/a.yaml': policy(`${state}: true`) })).toMatchObject({ code: 0 });
  });

  describe('objects with fixed fields are merged, and everything else is replaced', () => {
    const merged = async (...layers: readonly object[]) => {
      const files = layers.map((section, index) =>
        filesAt(`${index}/`, memorySource({ 'a.yaml': JSON.stringify(section) })),
      );
      const { desired, diagnostics } = await loadDesired(layeredSource(files), kinds);
      expect(diagnostics).toEqual([]);
      const [item] = [...(desired?.sections.values() ?? [])].flatMap(({ items }) => items);
      return { value: item?.value, fileOf: (pointer: string) => item?.at(pointer).file };
    };
    const users = (more: object) => ({ connections: [{ name: 'users', strategy: 'auth0', ...more }] });
    const policy = (configuration: object) => ({
      rate_limit_policies: [{ consumer_selector: 'default', configuration }],
    });

    test('below a field, with a place for each value', async () => {
      const { value, fileOf } = await merged(
        users({ options: { disable_signup: true, brute_force_protection: true, mfa: { active: true } } }),
        users({ options: { disable_signup: false, mfa: { return_enroll_settings: true } } }),
      );
      expect(value).toMatchObject({
        options: {
          disable_signup: false,
          brute_force_protection: true,
          mfa: { active: true, return_enroll_settings: true },
        },
      });
      const places = ['disable_signup', 'brute_force_protection', 'mfa/active', 'mfa/return_enroll_settings'];
      expect(places.map((name) => fileOf(`/options/${name}`))).toEqual([
        '1/a.yaml',
        '0/a.yaml',
        '0/a.yaml',
        '1/a.yaml',
      ]);
    });

    test('lists and maps are complete', async () => {
      const { value } = await merged(
        users({ realms: ['a', 'b'], metadata: { one: '1', two: '2' } }),
        users({ realms: ['c'], metadata: { three: '3' } }),
      );
      expect(value).toMatchObject({ realms: ['c'] });
      expect((value as { metadata: object }).metadata).toEqual({ three: '3' });
    });

    test('an object of another form is complete', async () => {
      const limited = { action: 'redirect', limit: 5, redirect_uri: 'https://acme.example/busy' };
      const { value } = await merged(policy(limited), policy({ action: 'allow' }));
      expect((value as { configuration: object }).configuration).toEqual({ action: 'allow' });
      const lower = await merged(policy(limited), policy({ ...limited, limit: 1 }));
      expect((lower.value as { configuration: object }).configuration).toEqual({ ...limited, limit: 1 });
    });

    test('singles of a group', async () => {
      const section = (stage: object) => ({ attack_protection: { suspicious_ip_throttling: { stage } } });
      const { value } = await merged(
        section({ 'pre-login': { max_attempts: 10, rate: 40_000 } }),
        section({ 'pre-login': { rate: 50_000 } }),
      );
      expect(value).toEqual({ stage: { 'pre-login': { max_attempts: 10, rate: 50_000 } } });
    });
  });

  test('a later layer may give up what an earlier one renames, and only a later one', async () => {
    const renamed = 'roles:\n  - { name: New, renamed_from: Old, permissions: [] }\n';
    const absent = 'roles:\n  - { name: New, absent: true }\n';
    const other = 'roles:\n  - { name: Old, permissions: [] }\n';
    expect(await itemsOf({ 'one/a.yaml': renamed, 'two/a.yaml': absent, 'three/a.yaml': other })).toMatchObject({
      code: 0,
    });
    const both = absent.replace('absent', 'renamed_from: Old, absent');
    const refused = await itemsOf({
      'one/a.yaml': renamed,
      'two/a.yaml': other.replace('Old', 'A'),
      'three/a.yaml': both,
    });
    expect(refused).toMatchObject({ code: 3, codes: expect.arrayContaining(['CONFIG_RENAME']) });
  });

  test.each([
    [
      'an override under the old name',
      { 'one/a.yaml': ['New, renamed_from: Old'], 'two/a.yaml': ['Old'] },
      [
        'one/a.yaml:2:32',
        'A later layer overrides the item under this name, at two/a.yaml:2:13.',
        'write the new name',
      ],
    ],
    [
      'overrides in two layers',
      { 'one/a.yaml': ['New, renamed_from: Old'], 'two/a.yaml': ['Old'], 'three/a.yaml': ['Old'] },
      ['one/a.yaml:2:32', 'at two/a.yaml:2:13 and at three/a.yaml:2:13.', 'write the new name'],
    ],
    [
      'another item with the old name, and its override',
      { 'one/a.yaml': ['Old', 'New, renamed_from: Old'], 'three/a.yaml': ['Old'] },
      ['one/a.yaml:3:32', 'also declared at one/a.yaml:2:13 and at three/a.yaml:2:13.', 'in an apply of its own first'],
    ],
    [
      'an override under the new name, with another old one',
      { 'one/a.yaml': ['New, renamed_from: Old', 'Third'], 'two/a.yaml': ['New, renamed_from: Third'] },
      ['two/a.yaml:2:32', 'also declared at one/a.yaml:3:13.', 'in an apply of its own first'],
    ],
    [
      'a later rename of what an earlier layer declares',
      { 'one/a.yaml': ['Old'], 'two/a.yaml': ['New, renamed_from: Old'] },
      ['two/a.yaml:2:32', 'also declared at one/a.yaml:2:13.', 'in an apply of its own first'],
    ],
  ])('a rename is in conflict with %s', async (_name, roles, texts) => {
    const files = Object.entries(roles).map(([file, items]) => [
      file,
      `roles:\n${items.map((item) => `  - { name: ${item}, permissions: {} }\n`).join('')}`,
    ]);
    const { run } = await setUp({
      'tenant-sync.yaml': 'tenants: { a: { layers: [one, two, three] } }\n',
      'two/b.yaml': 'prompts: {}\n',
      'three/b.yaml': 'prompts: {}\n',
      ...Object.fromEntries(files),
    });
    const { code, stderr, stdout } = await run('validate', '.', '--all');
    expect(code).toBe(3);
    for (const text of texts) expect(stdout + stderr).toContain(text);
  });

  test('an absent item may become unmanaged, and clients of this tool are united', async () => {
    const files = { 'one/a.yaml': policy('absent: true'), 'three/a.yaml': 'roles: []\n' };
    expect(await itemsOf({ ...files, 'two/a.yaml': policy('unmanaged: true') })).toMatchObject({ code: 0 });
    const layer = (client: string) => memorySource({ 'a.yaml': `tenant: { guards: { own_clients: [${client}] } }\n` });
    const source = layeredSource(['app-1', 'app-2'].map((name) => filesAt(`${name}/`, layer(name))));
    expect((await loadDesired(source, kinds)).desired?.tenant.guards).toEqual({ own_clients: ['app-1', 'app-2'] });
  });

  describe('a value of the header is where the layer has it that counts', () => {
    const headers = [
      [
        'tenant:',
        '  name: a',
        '  guards: { max_delete_count: 1, max_delete_percent: 5, own_clients: [app-1] }',
        '  protect: { roles: [A, B] }',
        '  undeclared: { roles: report, event_streams: delete, resource_servers: report }',
      ],
      [
        'tenant:',
        '  api: full',
        '  guards: { max_delete_count: 2 }',
        '  protect: { roles: [B, C], event_streams: [S] }',
        '  undeclared: { roles: ignore, event_streams: report, rate_limit_policies: ignore }',
      ],
      ['tenant:', '  name: a', '  undeclared: { event_streams: delete, rate_limit_policies: delete }'],
    ];
    const layers = headers.map((lines, index) =>
      filesAt(`${index}/`, memorySource({ 'a.yaml': `${lines.join('\n')}\nroles: []\n` })),
    );
    test.each([
      ['', undefined, '2/a.yaml:1:1'],
      ['/name', 'a', '2/a.yaml:2:9'],
      ['/api', 'full', '1/a.yaml:2:8'],
      ['/guards/max_delete_count', 2, '1/a.yaml:3:31'],
      ['/guards/max_delete_percent', 5, '0/a.yaml:3:54'],
      ['/guards/own_clients/0', 'app-1', '0/a.yaml:3:71'],
      ['/protect/roles/0', 'A', '0/a.yaml:4:22'],
      ['/protect/roles/1', 'B', '0/a.yaml:4:25'],
      ['/protect/roles/2', 'C', '1/a.yaml:4:25'],
      ['/protect/event_streams/0', 'S', '1/a.yaml:4:45'],
      ['/undeclared/roles', 'ignore', '1/a.yaml:5:24'],
      ['/undeclared/resource_servers', 'report', '0/a.yaml:5:73'],
      // Deletion loses.
      ['/undeclared/event_streams', 'report', '1/a.yaml:5:47'],
      ['/undeclared/rate_limit_policies', 'ignore', '1/a.yaml:5:76'],
    ])('%j', async (pointer, value, place) => {
      const { desired } = await loadDesired(layeredSource(layers), kinds);
      if (value !== undefined) expect(valueAt(desired?.tenant, pointer)).toBe(value);
      const source = desired?.tenantAt(pointer);
      expect(source && locationText(source)).toBe(place);
    });
  });

  test('an empty section of a later layer is a warning where it would have no effect', async () => {
    const roles = 'roles:\n  - { name: Support, permissions: {} }\n';
    const found = async (first: string, last: string) => {
      const layers = [
        filesAt('base/', memorySource({ 'a.yaml': first })),
        filesAt('own/', memorySource({ 'b.yaml': last })),
      ];
      const { diagnostics } = await loadDesired(layeredSource(layers), kinds);
      return diagnostics.map(({ code, severity, source }) => `${severity} ${code} ${source && locationText(source)}`);
    };
    expect(await found(roles, 'roles: []\n')).toEqual(['warning CONFIG_LAYER_EMPTY own/b.yaml:1:1']);
    expect(await found('roles: []\n', roles)).toEqual([]);
    expect(await found('roles: []\n', 'roles: []\n')).toEqual([]);
  });

  test('one layer declares an item once', async () => {
    const found = await itemsOf({
      'one/a.yaml': policy(block),
      'one/b.yaml': policy(block),
      'two/a.yaml': 'roles: []\n',
      'three/a.yaml': 'roles: []\n',
    });
    expect(found).toMatchObject({ code: 3, codes: expect.arrayContaining(['CONFIG_DUPLICATE_IDENTITY']) });
  });

  test('an absent item of a protected name is an error with both locations', async () => {
    const found = await itemsOf({
      'one/a.yaml': 'tenant: { protect: { rate_limit_policies: [other, "def*"] } }\n',
      'two/a.yaml': 'tenant: { protect: { rate_limit_policies: ["x*"] } }\n',
      'three/a.yaml': policy('absent: true'),
    });
    expect(found).toMatchObject({ code: 3, codes: expect.arrayContaining(['CONFIG_ABSENT_PROTECTED']) });
    expect(found.stdout).toContain('at one/a.yaml:1:');
  });

  test('a text of another layer, but nothing outside of the layers', async () => {
    const prompt = (path: string) =>
      `prompts: { login: { partials: { login: { form-content-start: { file: ${path} } } } } }\n`;
    const files = { 'one/a.liquid': 'x\n', 'other/b.liquid': 'y\n', 'two/a.yaml': 'roles: []\n' };
    expect(await itemsOf({ ...files, 'three/a.yaml': prompt('../one/a.liquid') })).toMatchObject({ code: 0 });
    for (const path of ['../other/b.liquid', '../tenant-sync.yaml', '../../etc/passwd', '../one/../../x'])
      expect(await itemsOf({ ...files, 'three/a.yaml': prompt(path) })).toMatchObject({
        code: 3,
        codes: expect.arrayContaining(['CONFIG_REFERENCE_OUTSIDE']),
      });
  });
});

describe('errors in the project', () => {
  const tenants = (text: string) => ({
    'tenant-sync.yaml': text,
    'base/a.yaml': 'roles: []\n',
    'base/in/a.yaml': 'roles: []\n',
  });
  test.each([
    ['tenants: { a: { layers: [base, nowhere] } }\n', 'tenant-sync.yaml:1:32', 'does not exist'],
    [
      'tenants: { a: { layers: [base, nowhere] } }\n',
      'tenant-sync.yaml:1:32',
      'git keeps no empty folder, so add a file such as nowhere/.gitkeep',
    ],
    [
      'tenants: { a: { layers: [base] }, b: { layers: [base/in] } }\n',
      'tenant-sync.yaml:1:49',
      'is inside the layer "base"',
    ],
    ['tenants: { a: { layers: [base] } }\ninclude: more/*.yaml\n', 'tenant-sync.yaml:2:10', 'matches "more/*.yaml"'],
    ['tenants: { a: { layers: [base] } }\ninclude: ../*.yaml\n', 'tenant-sync.yaml:2:10', 'matches "../*.yaml"'],
    ['tenants: { a: { layers: [../base] } }\n', 'tenant-sync.yaml:1:26', 'write the path of a folder below'],
    ['tenants: { a: { layers: [base, base] } }\n', 'tenant-sync.yaml:1:32', 'is there twice'],
    ['tenants: { a: { layers: [node_modules] } }\n', 'tenant-sync.yaml:1:26', 'does not exist'],
    ['tenants: { a/b: { layers: [base] } }\n', 'tenant-sync.yaml:1:12', '"a/b" is not a valid key'],
    ...['TENANT_VAR', 'TENANT_VAR_A', 'TENANT', 'ACME_VAR', 'ACME_VAR_DEV', 'A__VAR'].map(
      (prefix): [string, string, string] => [
        `tenants: { a: { layers: [base], environment: ${prefix} } }\n`,
        'tenant-sync.yaml:1:46',
        'files may read PREFIX_VAR_NAME',
      ],
    ),
    ['tenants: { a: { layer: [base] } }\n', 'tenant-sync.yaml:1:17', 'did you mean "layers"?'],
    ['tenants: { a: { layers: [] } }\n', 'tenant-sync.yaml:1:25', 'must not be empty'],
    ['tenants: { a: { layers: [base], wave: 0 } }\n', 'tenant-sync.yaml:1:39', ''],
    ['tenants: {}\n', 'tenant-sync.yaml:1:1', 'no tenant'],
    [
      'tenants:\n  a: { layers: [base], base_url: https://a.example/api/v2 }\n  b: { layers: [base], base_url: https://A.example/api/v2 }\n',
      'tenant-sync.yaml:3:34',
      '"a" and "b" are the same tenant',
    ],
    [
      'tenants:\n  a: { layers: [base], base_url: https://a.example/api/v2 }\n  b: { layers: [base], base_url: https://a.example./api/v2 }\n',
      'tenant-sync.yaml:3:34',
      'https://a.example/api/v2 and https://a.example./api/v2: "a" and "b" are the same tenant',
    ],
    [
      'tenants:\n  a: { layers: [base], base_url: "http://127.0.0.1:1/api/v2" }\n  b: { layers: [base], base_url: "http://[::1]:1/api/v2" }\n',
      'tenant-sync.yaml:3:34',
      'http://127.0.0.1:1/api/v2 and http://[::1]:1/api/v2: "a" and "b" are the same tenant',
    ],
    [
      'tenants:\n  a: { layers: [base], base_url: "http://127.0.0.1:1/api/v2" }\n  b: { layers: [base], base_url: "http://127.0.0.1:1/api/v2" }\n',
      'tenant-sync.yaml:3:34',
      ' http://127.0.0.1:1/api/v2: "a" and "b" are the same tenant',
    ],
  ])('%j', async (text, place, words) => {
    const { run } = await setUp(tenants(text));
    const { code, stdout, stderr } = await run('validate', '.', '--all');
    expect(code).toBe(3);
    expect(stdout + stderr).toContain(place);
    expect(stdout + stderr).toContain(words);
  });

  test('a layer may have nothing but the file that keeps its folder', async () => {
    const { run } = await setUp({ ...tenants('tenants: { a: { layers: [base, empty] } }\n'), 'empty/.gitkeep': '' });
    expect((await run('validate', '.', '--all')).code).toBe(0);
  });

  test.each([
    ['.npmrc', {}],
    ['"*"', {}],
    ['.hidden/*.yaml', { '.hidden/x.yaml': 'secret: hunter22\n' }],
    ['node_modules/x.yaml', { 'node_modules/x.yaml': 'secret: hunter22\n' }],
    ['notes.txt', { 'notes.txt': 'hunter22\n' }],
  ])('include %s reads no other file', async (pattern, files) => {
    const text = `tenants: { a: { layers: [base] } }\ninclude: ${pattern}\n`;
    const { run } = await setUp({ ...tenants(text), '.npmrc': 'token=hunter22\n', ...files });
    const { code, stdout, stderr } = await run('validate', '.', '--all');
    expect(code).toBe(3);
    expect(stdout + stderr).toContain('No YAML file below');
    expect(stdout + stderr).not.toContain('hunter22');
  });

  test('a link and a second name of a file are not read as a project, nor included', async () => {
    const { run, root } = await setUp({
      ...tenants('tenants: { a: { layers: [base] } }\ninclude: more.yaml\n'),
      '.netrc': 'hunter22\n',
    });
    const refused = async () => {
      const { code, stdout, stderr } = await run('validate', '.', '--all');
      expect(stdout + stderr).not.toContain('hunter22');
      expect({ code, isNamed: /CONFIG_REFERENCE_HIDDEN/.test(stdout + stderr) }).toEqual({ code: 3, isNamed: true });
    };
    await symlink('.netrc', join(root, 'more.yaml'));
    await refused();
    await rm(join(root, 'more.yaml'));
    await link(join(root, '.netrc'), join(root, 'more.yaml'));
    await refused();
    await rm(join(root, 'tenant-sync.yaml'));
    await symlink('.netrc', join(root, 'tenant-sync.yaml'));
    await refused();
  });

  test('an included file includes no others, and a variable has no reference', async () => {
    const { run } = await setUp({
      ...tenants('tenants: { a: { layers: [base], variables: { p: "${env:TENANT_VAR_U}" } } }\ninclude: more.yaml\n'),
      'more.yaml': 'include: other.yaml\n',
    });
    const { code, stdout, stderr } = await run('validate', '.', '--all');
    expect(code).toBe(3);
    expect(stdout + stderr).toContain('more.yaml:1:1');
    expect(stdout + stderr).toContain('CONFIG_VARIABLE_MALFORMED');
  });

  test('a project that is not valid does not open its layers as folders', async () => {
    const { run } = await setUp({
      ...layers,
      'tenant-sync.yaml': `${project}  more: { layers: [nowhere] }\n`,
      'base/.git/HEAD': 'x',
    });
    expect(await run('plan', 'base')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('tenant-sync.yaml:4:20'),
    });
  });

  test('assertions that contradict each other, and files of another tenant', async () => {
    const { run } = await setUp({
      'tenant-sync.yaml':
        'tenants: { a: { layers: [base], environment: ACME_DEV, base_url: https://a.example/api/v2 } }\n',
      'base/a.yaml': 'tenant: { base_url: https://b.example/api/v2 }\nroles: []\n',
    });
    const both = await run('plan', '.', '--tenant', 'a');
    expect(both).toMatchObject({ code: 3, stderr: expect.stringContaining('base/a.yaml:1:11') });
    const { run: again, tenant: other } = await setUp({
      'tenant-sync.yaml':
        'tenants: { a: { layers: [base], environment: ACME_DEV, base_url: https://a.example/api/v2 } }\n',
      'base/a.yaml': 'roles: []\n',
    });
    const { stderr } = await again('plan', '.', '--tenant', 'a');
    const url = other.baseUrl;
    expect(stderr).toContain(`belong to https://a.example/api/v2, but the base URL of the environment is ${url}`);
  });

  test('the same tenant in two files', async () => {
    const { run } = await setUp({
      ...tenants('tenants: { a: { layers: [base] } }\ninclude: [more/*.yaml]\n'),
      'more/b.yaml': 'tenants: { b: { layers: [base] }, a: { layers: [base] } }\n',
    });
    const { code, stderr } = await run('plan', '.', '--tenant', 'b');
    expect(code).toBe(3);
    expect(stderr).toContain('more/b.yaml:1:35');
    expect(stderr).toContain('tenant-sync.yaml:1:12');
    expect(stderr).toContain('CONFIG_PROJECT');
  });

  test('a layer that is a link, or behind one, is not read', async () => {
    const text = 'tenants: { a: { layers: [linked] }, b: { layers: [base/up/base] } }\n';
    const { run, root } = await setUp(tenants(text));
    await symlink(join(root, 'base'), join(root, 'linked'));
    await symlink(root, join(root, 'base/up'));
    const { code, stderr } = await run('validate', '.', '--all');
    expect(code).toBe(3);
    expect(stderr.match(/does not exist, or is a link/g)).toHaveLength(2);
  });

  test('a command on a layer, or on a folder of layers, is refused', async () => {
    const { run } = await setUp();
    for (const folder of ['base', 'env', 'env/dev'])
      expect(await run('plan', folder)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('CONFIG_LAYER_FOLDER'),
      });
  });

  test.each([
    [['plan', '.'], 'add --tenant NAME, or --all'],
    [['pull', '.'], 'add --tenant NAME'],
    [['plan', '.', '--tenant', 'acme-dve'], 'did you mean "acme-dev"?'],
    [['plan', '.', '--tenant', 'x'], 'the tenants are acme-'],
    [['validate', '.', '--tenant', 'acme-dev', '--all'], 'keep one of them'],
    [['validate', '../elsewhere', '--all'], 'tenant-sync.yaml'],
  ])('%j', async (argv, words) => {
    const { run } = await setUp();
    expect(await run(...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
  });

  test('a variable of the environment that is not set has the name of its tenant', async () => {
    const root = await folder(layers);
    const { code, stderr } = await runCommand(['plan', '.', '--tenant', 'acme-prod'], { cwd: root });
    expect(code).toBe(3);
    expect(stderr).toContain('ACME_PROD_BASE_URL is not set');
  });

  test('all tenants at once: an error of a shared layer is one, and names them', async () => {
    const { run } = await setUp({ ...layers, 'base/wrong.yaml': 'roles: [{ nmae: Support }]\n' });
    const { code, stdout } = await run('validate', '.', '--all');
    expect(code).toBe(3);
    expect(stdout.match(/CONFIG_UNKNOWN_FIELD/g)).toHaveLength(1);
    expect(stdout).toContain('Affects all 2 tenants.');
  });
});

test('the example is valid', async () => {
  const { code, stdout } = await runCommand(['validate', join(import.meta.dirname, '../../examples/fleet'), '--all']);
  expect(stdout).toMatchInlineSnapshot(`
    "acme-dev valid: rate_limit_policies 2, roles 1, prompts 1 (3 files)
    acme-prod valid: rate_limit_policies 2, roles 1, prompts 1 (3 files)
    acme-staging valid: rate_limit_policies 2, roles 1, prompts 1 (2 files)
    globex valid: rate_limit_policies 2, roles 1, prompts 1 (4 files)
    initech valid: rate_limit_policies 2, roles 1, prompts 1 (4 files)
    umbrella valid: rate_limit_policies 2, roles 1, prompts 1 (3 files)
    "
  `);
  expect(code).toBe(0);
});

type Made = Record<'actions' | 'findings', readonly Record<string, unknown>[]>;

function actionsOf({ actions, findings }: Made): readonly unknown[] {
  return [...actions, ...findings].map(({ action, code, key, after, source }) => [
    action ?? code,
    key,
    after ?? null,
    source && locationText(source as Source).replace(/:\d+$/, ''),
  ]);
}
