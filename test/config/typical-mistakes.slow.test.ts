// Mistakes that people make, and what they read. UPDATE_GOLDEN=1 rewrites the expectations; review decides.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnosticsOf } from '../support/load-files.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const stream = (subscriptions: string) =>
  `event_streams:\n  - name: a\n    subscriptions: ${subscriptions}\n    destination: { type: action, configuration: { action_id: x } }\n`;

/** Every one of them is about columns, and names the column. */
const indentation: Readonly<Record<string, string>> = {
  'a key of an item, too far left': 'roles:\n  - id: rol_a\n    permissions: []\n   absent_permissions: []\n',
  'the second key of an item, too far right':
    'rate_limit_policies:\n  - resource: oauth_authentication_api\n     consumer: client\n    consumer_selector: default\n',
  'the second key of an item, below the dash': 'roles:\n  - id: rol_a\n  permissions: []\n',
  'the second key of an item, below its value': 'roles:\n  - id: rol_a\n      permissions: []\n',
  'a key of the header, too far right': 'tenant:\n  name: acme\n    api: full\nroles: []\n',
  'a key after a quoted value, too far right': 'tenant:\n  name: "acme"\n    api: full\nroles: []\n',
  'a key of the header, too far left': 'tenant:\n  name: acme\n api: full\nroles: []\n',
  'a section, not far enough left': 'tenant:\n  name: acme\n roles: []\n',
  'a mapping in an item, its second key too far left':
    'rate_limit_policies:\n  - consumer_selector: default\n    configuration:\n      action: block\n     limit: 10\n',
  'a mapping in an item, its second key too far right':
    'rate_limit_policies:\n  - consumer_selector: default\n    configuration:\n      action: block\n        limit: 10\n',
  'a mapping in an item, left of its other keys':
    'rate_limit_policies:\n  - consumer_selector: default\n  configuration:\n    action: block\n    limit: 1\n',
  'an item too far left': 'roles:\n  - id: a\n - id: b\n',
  'an item not indented': 'roles:\n  - id: a\n- id: b\n',
  'an item one space too far right': 'roles:\n  - id: a\n   - id: b\n',
  'an item in the column of keys': 'roles:\n  - id: a\n    - id: b\n',
  'an item below a key with a value': 'tenant:\n  name: a\n  - b\n',
  'a key between distant lines':
    'tenant:\n  protect:\n    roles:\n      - admin\n      - owner\n   undeclared: { roles: ignore }\n',
  'a tab before a key': 'tenant:\n\tname: a\n',
  'a tab before a later key': 'tenant:\n  name: a\n\tapi: full\n',
  'a tab before an item': 'roles:\n\t- id: a\n',
  'Windows line ends': 'tenant:\r\n  name: acme\r\n    api: full\r\n',
  'two lines with the same mistake and one with another':
    'tenant:\n  name: acme\n   api: full\n   guards: {}\nroles:\n  - id: a\n   permissions: []\n',
};

const others: Readonly<Record<string, string>> = {
  'keys of a mapping in the column of their parent':
    'rate_limit_policies:\n  - resource: oauth_authentication_api\n    consumer: client\n    consumer_selector: default\n    configuration:\n    action: block\n    limit: 10\n',
  'a section in the header': 'tenant:\n  name: acme\n  roles:\n    - id: a\n      permissions: []\n',
  'no space after a dash': 'roles:\n  -id: a\n',
  'no dash': 'roles:\n  id: a\n  permissions: []\n',
  'no space after a colon': 'tenant:\n  name:acme\n',
  'no space after the first colon of two': 'tenant:\n  name:acme\n  api: full\n',
  'no colon': 'tenant:\n  name acme\n  api: full\n',
  'no colon after a section': 'roles\n  - id: a\n',
  'a text as an item, with keys below it': 'roles:\n  - rol_a\n    permissions: []\n',
  'a value in the column of its key': 'tenant:\n  name:\n  acme\n',
  'the text of a block, too far left':
    'prompts:\n  login:\n    partials:\n      login:\n        form-content-start: |\n          <b>\n        hello\n',
  'a quote that is not closed': 'tenant:\n  name: "acme\n  api: full\n',
  'a quote that the next one closes': 'tenant:\n  name: "acme\n  base_url: "https://x.example/api/v2"\n',
  'a bracket that is not closed': 'roles:\n  - id: a\n    permissions: [\n',
  'a brace that is not closed': 'roles:\n  - { id: a\n  - { id: b }\n',
  'a wildcard without quotes': 'tenant:\n  protect:\n    roles: [*]\n',
  'a wildcard before a word': 'tenant:\n  protect:\n    roles: [*admin]\n',
  'two colons in a value': 'tenant:\n  name: a: b\n',
  'permissions as words': 'roles:\n  - id: a\n    permissions: [read:orders]\n',
  'permissions by API': 'roles:\n  - id: a\n    permissions:\n      https://orders.example/: [read:orders]\n',
  'several permissions as words': 'roles:\n  - id: a\n    permissions: [read:orders, "delete:orders"]\n',
  'one permission of an API as a word':
    'roles:\n  - id: a\n    permissions:\n      https://orders.example/: read:orders\n',
  'pairs by API':
    'roles:\n  - id: a\n    permissions:\n      https://orders.example/: [{ permission_name: read:orders }]\n',
  'complete pairs by API':
    'roles:\n  - id: a\n    permissions:\n      https://orders.example/:\n        - resource_server_identifier: https://orders.example/\n          permission_name: read:orders\n',
  'permissions of an API as keys':
    'roles:\n  - id: a\n    permissions:\n      https://orders.example/: { read:orders: true }\n',
  'permissions by API, with a dash':
    'roles:\n  - id: a\n    permissions:\n      - https://orders.example/: [read:orders]\n',
  'a pair without a dash':
    'roles:\n  - id: a\n    permissions:\n      resource_server_identifier: https://orders.example/\n      permission_name: read:orders\n',
  'an API by a variable': 'roles:\n  - id: a\n    permissions:\n      ${var:orders_api}: [read:orders]\n',
  'permissions of nothing': 'roles:\n  - id: a\n    permissions:\n      https://orders.example/:\n',
  'a permission that is listed in both forms':
    'roles:\n  - id: a\n    permissions:\n      https://orders.example/: [read:orders, delete:orders, read:orders]\n    absent_permissions:\n      - resource_server_identifier: https://orders.example/\n        permission_name: delete:orders\n',
  'a policy in both forms':
    'rate_limit_policies:\n  - consumer_selector: default\n    configuration: { action: allow }\n  - resource: oauth_authentication_api\n    consumer: client\n    consumer_selector: default\n    absent: true\n',
  'absent as a word': 'roles:\n  - name: Old Support\n    absent: yes\n',
  'absent in quotes': 'roles:\n  - name: Old Support\n    absent: "true"\n',
  'absent in the section': 'roles:\n  absent:\n    - Old Support\n',
  'a policy without a configuration': 'rate_limit_policies:\n  - consumer_selector: default\n',
  'unmanaged, and something else':
    'rate_limit_policies:\n  - consumer_selector: default\n    configuration: { action: allow }\n    unmanaged: true\n',
  'absent, and protected':
    'tenant:\n  protect:\n    roles: ["Old *"]\nroles:\n  - { name: Old Support, absent: true }\n',
  'one permission as a word': 'roles:\n  - id: a\n    permissions: read:orders\n',
  'subscriptions as words': stream('[user.created]'),
  'one subscription as a word': stream('user.created'),
  'a list as a word': 'tenant:\n  protect: { roles: Admin }\n',
  'a rule that was replaced': 'tenant:\n  keep_undeclared: [roles, event_streams]\nevent_streams: []\n',
  'a value of another kind': 'tenant:\n  undeclared: { roles: delete }\nroles: []\n',
  'a replaced rule in another form': 'tenant: { keep_undeclared: roles }\nroles: []\n',
  'a prompt as a text': 'prompts:\n  login: hello\n',
  'a screen as a text': 'prompts:\n  login:\n    partials:\n      login: hello\n',
  'a swapped letter':
    'rate_limit_policies:\n  - consumer_selector: default\n    configuration: { action: block, limti: 5 }\n',
  'a merge conflict': 'roles:\n<<<<<<< HEAD\n  - name: A\n=======\n  - name: B\n>>>>>>> main\n',
  'a list that a brace closes': 'roles:\n  - { name: A, permissions: [a, b }\n',
  'a mapping that a bracket closes': 'roles:\n  - { name: A, permissions: [a, { name: b ] }\n',
  'a misspelt role and nothing about it': 'roles:\n  - name: Suport\n',
};

const golden = join(import.meta.dirname, 'typical-mistakes.txt');

test('people read where the mistake is, and what to write', async () => {
  const blocks: string[] = [];
  for (const [name, text] of Object.entries({ ...indentation, ...others })) {
    const { stdout } = await runCommand(['validate', await folder({ 'a.yaml': text })]);
    blocks.push(`# ${name}\n\n${stdout}`);
  }
  const found = blocks.join('\n');
  if (process.env['UPDATE_GOLDEN']) await writeFile(golden, found);
  expect(found).toBe(await readFile(golden, 'utf8'));
});

describe('wrong indentation is reported as that, and once', () => {
  test.each(Object.entries(indentation))('%s', async (_name, text) => {
    const diagnostics = await diagnosticsOf({ 'a.yaml': text });
    const isTab = text.includes('\t');
    expect(diagnostics.map(({ code }) => code)).toEqual([isTab ? 'CONFIG_TAB_INDENT' : 'CONFIG_INDENTATION']);
  });
});

// Each line of a file is moved by each number of spaces: what the parser refuses is reported as indentation.
test('a line of a typical file that is moved', async () => {
  const lines = (await readFile(join(import.meta.dirname, 'typical-file.yaml'), 'utf8')).split('\n');
  const reported = new Map<string, number>();
  const otherwise: string[] = [];
  for (const [index, line] of lines.entries()) {
    const indent = line.length - line.trimStart().length;
    for (const spaces of [-4, -3, -2, -1, 1, 2, 3, 4].filter((count) => line !== '' && indent + count >= 0)) {
      const moved = ' '.repeat(indent + spaces) + line.trimStart();
      const [first] = await diagnosticsOf({ 'a.yaml': lines.with(index, moved).join('\n') });
      reported.set(first?.code ?? 'valid', (reported.get(first?.code ?? 'valid') ?? 0) + 1);
      if (first?.code === 'CONFIG_YAML_SYNTAX') otherwise.push(`${index + 1} by ${spaces}`);
    }
  }
  // The second and later lines of values are rather keys without a colon, and some lines start something in the line above.
  const beside = ['7 by 3', '7 by 4', '8 by -4', '8 by -3', '16 by -3'];
  expect(otherwise.filter((moved) => !/^(?:37|38|39|41) /.test(moved))).toEqual([
    ...beside,
    '42 by 2',
    '42 by 4',
    '48 by -3',
  ]);
  expect(reported.get('CONFIG_INDENTATION')).toBeGreaterThan(270);
});

test('one mistake gives one error, however many the parser makes of it', async () => {
  const items = Array.from({ length: 200 }, (_, index) => `  - { name: r${index}, limit: \${var:LIMIT} }\n`).join('');
  const [error, ...others] = await diagnosticsOf({ 'a.yaml': `roles:\n${items}` });
  expect(error).toMatchObject({
    source: { line: 2 },
    message: expect.stringContaining('a reference must be in quotes'),
  });
  expect(others).toEqual([]);
});

test.each([
  ['a merge key', 'rate_limit_policies:\n  - <<: { consumer_selector: default, configuration: { action: allow } }\n'],
  [
    'no space after a colon between brackets',
    'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit:1 } }\n',
  ],
  ['a list as a key', 'roles:\n  - ? [a, b]\n    : c\n'],
  ['a list as a key of the header', 'tenant:\n  ? [a, b]\n  : c\nroles: []\n'],
  ['a reference in a reference', 'tenant:\n  name: "${var:${var:x}}"\nroles: []\n'],
  ['a misspelt name of what chooses the form', stream('[{ event_type: a }]').replace('type: action', 'typ: action')],
])('one mistake gives one error: %s', async (_name, text) => {
  expect(await diagnosticsOf({ 'a.yaml': text })).toHaveLength(1);
});

test('no text of a secret is repeated', async () => {
  const text = 'event_streams:\n  - name: a\n    token: planted-secret\n      planted-secret: y\n   status: x\n';
  const diagnostics = await diagnosticsOf({ 'a.yaml': text });
  expect(diagnostics.length).toBeGreaterThan(0);
  expect(JSON.stringify(diagnostics)).not.toContain('planted-secret');
});
