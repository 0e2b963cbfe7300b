// explain --item: where the files declare each field of an item.
import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const files = {
  'tenant-sync.yaml': 'tenants:\n  dev: { layers: [base, stage, dev] }\n  other: { layers: [base] }\n',
  'base/all.yaml': [
    'roles:',
    '  - name: Support',
    '    description: Helps',
    '    permissions: []',
    '  - { name: Gone, description: x }',
    'prompts:',
    '  login: { partials: { login: { form-content-start: a, form-content-end: { file: end.liquid } } } }',
    'event_streams:',
    '  - name: crm',
    '    subscriptions: [{ event_type: user.created }]',
    '    destination:',
    '      type: webhook',
    '      configuration:',
    '        webhook_endpoint: https://crm.example/${var:path}',
    '        webhook_authorization: { method: bearer, token: "${env:TENANT_VAR_CRM}" }',
    '',
  ].join('\n'),
  'base/vars.yaml': 'path: hidden-path\n',
  'base/end.liquid': 'end\n',
  'stage/roles.yaml': 'roles:\n  - { name: Support, description: Stage }\n',
  'dev/roles.yaml': 'roles:\n  - { name: Support, description: Dev }\n  - { name: Gone, absent: true }\n',
  'dev/prompts.yaml': 'prompts:\n  login: { partials: { login: { form-content-start: b } } }\n',
  'alone/a.yaml': 'roles:\n  - { name: Support, description: Alone }\n',
};

const explain = async (...argv: string[]) =>
  runCommand(['explain', ...argv], { cwd: await folder(files), env: { TENANT_VAR_CRM: 'hunter22-hunter22' } });

describe('explain --item', () => {
  test('names the layer of each field, and what it overrides', async () => {
    const { code, stdout, stderr } = await explain('.', '--item', 'roles/Support', '--tenant', 'dev');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "roles/Support of dev
        name: dev/roles.yaml:2:13, which overrides stage/roles.yaml:2:13, which overrides base/all.yaml:2:11
        description: dev/roles.yaml:2:35, which overrides stage/roles.yaml:2:35, which overrides base/all.yaml:3:18
        permissions: base/all.yaml:4:18
      "
    `);
  });

  test('names each text of a prompt', async () => {
    expect((await explain('.', '--item', 'prompt/login', '--tenant', 'dev')).stdout).toMatchInlineSnapshot(`
      "prompts/login of dev
        partials.login.form-content-start: dev/prompts.yaml:2:53, which overrides base/all.yaml:7:53
        partials.login.form-content-end: base/all.yaml:7:56
      "
    `);
  });

  test('shows what the item is declared to be', async () => {
    expect((await explain('.', '--item', 'roles/Gone', '--tenant', 'dev')).stdout).toMatchInlineSnapshot(`
      "roles/Gone of dev is absent
        name: dev/roles.yaml:3:13, which overrides base/all.yaml:5:13
        absent: dev/roles.yaml:3:27
      "
    `);
  });

  test('as JSON, and of a folder', async () => {
    const { stdout } = await explain('alone', '--item', 'roles/Support', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({
      tenant: null,
      kind: 'roles',
      key: 'Support',
      state: 'present',
      fields: [
        { field: '/name', source: { file: 'alone/a.yaml', line: 2, column: 13 }, overrides: [] },
        { field: '/description', source: { file: 'alone/a.yaml', line: 2, column: 35 }, overrides: [] },
      ],
    });
  });

  test('shows no value', async () => {
    const { code, stdout } = await explain('.', '--item', 'event_streams/crm', '--tenant', 'other');
    expect(code).toBe(0);
    expect(stdout).toContain('destination: base/all.yaml:11:5');
    expect(stdout).not.toMatch(/hunter22|hidden-path|https/);
  });

  test.each([
    [['--item', 'roles/Suport', '--tenant', 'dev'], 'did you mean "roles/Support"?'],
    [['--item', 'roles/x', '--tenant', 'dev'], 'declared: roles/Support, roles/Gone'],
    [['--item', 'roles', '--tenant', 'dev'], 'the files declare no such item'],
    [['--item', 'resource_servers/x', '--tenant', 'dev'], 'declared: none of this kind'],
    [['--item', 'rolls/Support', '--tenant', 'dev'], 'did you mean "roles"?'],
    [['--item', 'roles/Support'], 'add --tenant NAME'],
    [['--item', 'roles/Support', '--tenant', 'dve'], 'did you mean "dev"?'],
    [['--item', 'roles/Support', '--tenant', 'x'], 'the tenants are dev, other'],
    [['--item', 'roles/Support', '--tenant', 'dev', '--var', 'x'], 'NAME=value'],
    [['--item', 'roles/Support', '--tenant', 'dev', '--var', 'nothing=1'], 'nothing'],
  ])('%j', async (argv, words) => {
    expect(await explain('.', ...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
  });
});
