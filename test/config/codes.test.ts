// biome-ignore-all lint/suspicious/noTemplateCurlyInString: files of these tests hold references.
import { describe, expect, test } from 'vitest';
import { problemsIn } from '../support/load-files.ts';
import { loginFile, policyFile } from './file-texts.ts';

const allow = policyFile('{ action: allow }');
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

interface Case {
  readonly code: string;
  readonly when: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Code, location and underlined text of each problem, in order. */
  readonly expected: readonly string[];
}

const one = (code: string, when: string, text: string | Uint8Array, ...places: string[]): Case => ({
  code,
  when,
  files: { 'a.yaml': text },
  expected: places.map((place) => `${code} a.yaml:${place}`),
});

/** The value in quotes, as a summary shows what is underlined. */
const quoted = (name: string) => JSON.stringify(`"${name}"`);

const cases: readonly Case[] = [
  {
    code: 'CONFIG_EMPTY_FOLDER',
    when: 'no YAML file',
    files: { 'readme.md': '', '.hidden/a.yaml': allow, 'node_modules/a.yaml': allow, '.dot.yaml': allow },
    expected: ['CONFIG_EMPTY_FOLDER'],
  },
  one('CONFIG_FILE_TOO_LARGE', 'more than 4 MB', `a: ${'x'.repeat(4_000_000)}`, '1:1'),
  one('CONFIG_BAD_ENCODING', 'a Latin-1 letter', bytes('tenant:\n  name: "é', [0xe9], '"\n'), '2:11 "\ufffd"'),
  one(
    'CONFIG_BAD_ENCODING',
    'a real replacement character before the bad byte',
    bytes('tenant: "\ufffd', [0xc0], '"\n'),
    '1:11 "\ufffd"',
  ),
  one('CONFIG_BAD_ENCODING', 'UTF-16', bytes([0xff, 0xfe, 0x61, 0]), '1:1 "\ufffd"'),
  one('CONFIG_BAD_ENCODING', 'UTF-32', bytes([0, 0, 0xfe, 0xff, 0x61, 0]), '1:3 "\ufffd"'),
  one(
    'CONFIG_CONTROL_CHARACTER',
    'an escape, a null and a C1',
    'tenant:\n  name: a\u001bb\u0000\n# \u0085\n',
    '2:10 "\\u001b"',
    '2:12 "\\u0000"',
    '3:3 "\u0085"',
  ),
  one('CONFIG_YAML_SYNTAX', 'an unclosed quote', 'tenant:\n  name: "x\n', '2:9 "\\""'),
  one('CONFIG_YAML_SYNTAX', 'an unclosed bracket', 'roles: [\n', '1:8 "["'),
  one('CONFIG_YAML_SYNTAX', 'a bad escape', 'tenant: { name: "\\q" }\n', '1:18 "\\\\"'),
  one('CONFIG_YAML_SYNTAX', 'an alias without anchor', 'tenant: { name: *x }\n', '1:17 "*x"'),
  one(
    'CONFIG_AMBIGUOUS_SCALAR',
    'in a file of another version',
    '%YAML 1.1\n---\ntenant: { name: yes }\n',
    '3:17 "yes"',
  ),
  one('CONFIG_YAML_SYNTAX', 'an unknown directive', '%FOO bar\n---\ntenant: { name: a }\n', '1:1 "%FOO bar"'),
  one('CONFIG_TAB_INDENT', 'a tab', 'tenant:\n\tname: a\n', '2:1 "\\t"'),
  one('CONFIG_MULTIPLE_DOCUMENTS', 'two documents', `${allow}---\nroles: []\n`, '6:1 "---"'),
  one('CONFIG_EMPTY_FILE', 'nothing', '', '1:1'),
  one('CONFIG_EMPTY_FILE', 'a comment', '# nothing\n', '1:1 "#"'),
  one('CONFIG_EMPTY_FILE', 'null', '~\n', '1:1 "~"'),
  one('CONFIG_EMPTY_FILE', 'an empty mapping', '{}\n', '1:1 "{"'),
  one('CONFIG_DUPLICATE_KEY', 'a key twice', 'tenant:\n  name: a\n  api: documented\n  name: b\n', '4:3 "name"'),
  one('CONFIG_DUPLICATE_KEY', 'once in quotes', 'tenant: { "name": a, name: b }\n', '1:22 "name"'),
  {
    code: 'CONFIG_DUPLICATE_KEY',
    when: 'a number and its text',
    files: { 'a.yaml': 'tenant:\n  protect:\n    1: []\n    "1": []\n' },
    expected: ['CONFIG_KEY_NOT_TEXT a.yaml:3:5 "1"', 'CONFIG_DUPLICATE_KEY a.yaml:4:5 "\\"1\\""'],
  },
  one('CONFIG_KEY_NOT_TEXT', 'a number', 'tenant: { 7: a }\n', '1:11 "7"'),
  one('CONFIG_KEY_NOT_TEXT', 'a list', '? [a]\n: b\n', '1:3 "[a]"'),
  one('CONFIG_KEY_NOT_TEXT', 'nothing', 'tenant: { : a }\n', '1:10 " "'),
  one(
    'CONFIG_UNSAFE_KEY',
    'the three of them',
    'tenant: { __proto__: a, constructor: b, prototype: c }\n',
    '1:11 "__proto__"',
    '1:25 "constructor"',
    '1:41 "prototype"',
  ),
  one('CONFIG_MERGE_KEY', '<<', 'tenant: { <<: { name: a } }\n', '1:11 "<<"'),
  one(
    'CONFIG_YAML_TAG',
    'a known, an unknown and the empty tag',
    'tenant:\n  name: !!str a\n  api: !foo documented\n  base_url: ! "x"\n',
    '2:9 "!!str a"',
    '3:8 "!foo documented"',
    '4:13 "! \\"x\\""',
  ),
  one(
    'CONFIG_YAML_TAG',
    'on a mapping, a list and a key',
    'tenant: !!map\n  name: a\nroles: !!seq []\n!!str prompts: {}\n',
    '1:9 "!!map"',
    '3:8 "!!seq []"',
    '4:1 "!!str prompts"',
  ),
  one('CONFIG_ALIAS_LIMIT', 'an alias inside its anchor', 'roles: &a\n  - id: x\n    permissions: *a\n', '3:18 "*a"'),
  {
    code: 'CONFIG_ALIAS_LIMIT',
    when: 'an alias bomb, reported once',
    files: { 'a.yaml': bomb() },
    expected: ['CONFIG_UNKNOWN_FIELD a.yaml:1:1 "rolls"', 'CONFIG_ALIAS_LIMIT a.yaml:6:9 "*d"'],
  },
  {
    code: 'CONFIG_TOO_DEEP',
    when: 'more than 32 brackets',
    files: { 'a.yaml': `roles:\n  - id: ${'['.repeat(31)}${']'.repeat(31)}\n` },
    expected: [
      `CONFIG_WRONG_TYPE a.yaml:2:9 "${'['.repeat(31)}${']'.repeat(31)}"`,
      'CONFIG_TOO_DEEP a.yaml:2:38 "[[]]"',
    ],
  },
  one('CONFIG_AMBIGUOUS_SCALAR', 'a value', 'tenant: { name: Yes }\n', '1:17 "Yes"'),
  one('CONFIG_AMBIGUOUS_SCALAR', 'a key', 'tenant: { on: a }\n', '1:11 "on"'),
  one('CONFIG_NUMBER_FORM', 'an exponent', policyFile('{ action: block, limit: 1e3 }'), '5:44 "1e3"'),
  one('CONFIG_NULL_VALUE', 'a section', 'roles:\n', '1:1 "roles"'),
  one('CONFIG_NULL_VALUE', 'a tilde', policyFile('{ action: block, limit: ~ }'), '5:44 "~"'),
  one('CONFIG_NULL_VALUE', 'an item', 'tenant:\n  approvals:\n    -\n', '3:6 ""'),
  one('CONFIG_UNKNOWN_FIELD', 'a section', `${allow}rolls: []\n`, '6:1 "rolls"'),
  one(
    'CONFIG_UNKNOWN_FIELD',
    'a field of a form',
    policyFile('\n      action: block\n      limit: 1\n      limitt: 3'),
    '8:7 "limitt"',
  ),
  one(
    'CONFIG_UNKNOWN_FIELD',
    'a misspelt required field, which is not reported as missing',
    policyFile('{ action: block, limt: 3 }'),
    '5:37 "limt"',
  ),
  {
    code: 'CONFIG_MISSING_FIELD',
    when: 'an unknown field is near to no required one',
    files: { 'a.yaml': policyFile('{ action: block, colour: 3 }') },
    expected: ['CONFIG_MISSING_FIELD a.yaml:5:5 "configuration"', 'CONFIG_UNKNOWN_FIELD a.yaml:5:37 "colour"'],
  },
  one('CONFIG_UNKNOWN_FIELD', 'limit with allow', policyFile('{ action: allow, limit: 1 }'), '5:37 "limit"'),
  one(
    'CONFIG_UNKNOWN_FIELD',
    'redirect_uri with block',
    policyFile('{ action: block, limit: 1, redirect_uri: "https://a.example" }'),
    '5:47 "redirect_uri"',
  ),
  one(
    'CONFIG_MISSING_FIELD',
    'a field of an item',
    'client_grants:\n  - subject_type: client\n    client: Billing job\n',
    '2:5 "subject_type"',
  ),
  one(
    'CONFIG_MISSING_FIELD',
    'redirect without redirect_uri',
    policyFile('{ action: redirect, limit: 1 }'),
    '5:5 "configuration"',
  ),
  one('CONFIG_MISSING_FIELD', 'action itself', policyFile('{ limit: 1 }'), '5:5 "configuration"'),
  one('CONFIG_MISSING_FIELD', 'an empty item', 'event_streams: [{}]\n', '1:17 "{}"', '1:17 "{}"', '1:17 "{}"'),
  one('CONFIG_MISSING_FIELD', 'file', loginFile('{}'), '5:9 "start"'),
  one('CONFIG_WRONG_TYPE', 'a list as a file', '- a\n', '1:1 "- a"'),
  one('CONFIG_WRONG_TYPE', 'a text as a file', 'hello\n', '1:1 "hello"'),
  one('CONFIG_WRONG_TYPE', 'a mapping for a list', 'roles: { id: a }\n', '1:8 "{ id: a }"'),
  one('CONFIG_WRONG_TYPE', 'text for a number', policyFile('{ action: block, limit: "7" }'), '5:44 "\\"7\\""'),
  one('CONFIG_WRONG_TYPE', 'a number for text', 'tenant: { name: 7 }\n', '1:17 "7"'),
  one('CONFIG_WRONG_TYPE', 'a number as action', policyFile('{ action: 7 }'), '5:30 "7"'),
  one('CONFIG_WRONG_TYPE', 'a list for a partial', loginFile('[a]'), '5:16 "[a]"'),
  one('CONFIG_UNKNOWN_VALUE', 'an enum', 'tenant: { api: ful }\n', '1:16 "ful"'),
  one('CONFIG_UNKNOWN_VALUE', 'an action', policyFile('{ action: blok, limit: 1 }'), '5:30 "blok"'),
  one(
    'CONFIG_UNKNOWN_VALUE',
    'a selector',
    policyFile('{ action: allow }', 'third_party_client'),
    '4:24 "third_party_client"',
  ),
  one('CONFIG_UNKNOWN_VALUE', 'a prompt', 'prompts: { logn: {} }\n', '1:12 "logn"'),
  one('CONFIG_OUT_OF_RANGE', 'too much', policyFile('{ action: block, limit: 10001 }'), '5:44 "10001"'),
  one('CONFIG_OUT_OF_RANGE', 'too little', policyFile('{ action: log, limit: -1 }'), '5:42 "-1"'),
  one(
    'CONFIG_TOO_LONG',
    'a selector of 256',
    policyFile('{ action: allow }', `client_id:${'x'.repeat(246)}`),
    `4:24 ${JSON.stringify(`client_id:${'x'.repeat(87)}`)}`,
  ),
  one('CONFIG_TOO_SHORT', 'an empty text', 'tenant: { name: "" }\n', '1:17 "\\"\\""'),
  one('CONFIG_TOO_SHORT', 'an empty key', 'prompts: { login: { partials: { "": {} } } }\n', '1:33 "\\"\\""'),
  one(
    'CONFIG_BAD_FORMAT',
    'http',
    policyFile('{ action: redirect, limit: 1, redirect_uri: "http://a.example" }'),
    '5:64 "\\"http://a.example\\""',
  ),
  one(
    'CONFIG_BAD_FORMAT',
    'a base URL',
    'tenant: { base_url: "https://a.example" }\n',
    '1:21 "\\"https://a.example\\""',
  ),
  one('CONFIG_BAD_FORMAT', 'a name like an id', 'clients: [{ name: "id:c1" }]\n', '1:19 "\\"id:c1\\""'),
  one(
    'CONFIG_BAD_FORMAT',
    'an id as a name',
    'client_grants: [{ client: "id:c1", audience: a, scope: [] }]\n',
    '1:27 "\\"id:c1\\""',
  ),
  one('CONFIG_BAD_FORMAT', 'a role id', 'roles: [{ id: ".." }]\n', '1:15 "\\"..\\""'),
  one(
    'CONFIG_SECRET_IN_FILE',
    'a password',
    'event_streams:\n  - password: hunter2\n    name: a\n    subscriptions: [{ event_type: b }]\n    destination: { type: webhook, configuration: { webhook_endpoint: "https://a.example", Client-Secret: b } }\n',
    '2:5 "password"',
    '5:91 "Client-Secret"',
  ),
  one('CONFIG_VARIABLE_MALFORMED', 'another form', 'tenant: { name: "$HOME ${HOME}" }\n', '1:24 "${HOME}"'),
  one(
    'CONFIG_VARIABLE_MISSING',
    'a variable without a value',
    'tenant: { name: "${var:STAGE}" }\n',
    '1:18 "${var:STAGE}"',
  ),
  one(
    'CONFIG_VARIABLE_FORBIDDEN',
    'a credential',
    'tenant: { name: "${env:TENANT_SYNC_TOKEN}" }\n',
    '1:18 "${env:TENANT_SYNC_TOKEN}"',
  ),
  one(
    'CONFIG_VARIABLE_NOT_ALLOWED',
    'a variable of the job',
    'tenant: { name: "${env:GITHUB_TOKEN}" }\n',
    '1:18 "${env:GITHUB_TOKEN}"',
  ),
  {
    code: 'CONFIG_VARIABLE_IN_RULE',
    when: 'an approval',
    files: { 'a.yaml': 'tenant: { approvals: ["${var:OK}"] }\n', 'vars.yaml': 'OK: 0123456789abcdef01234567\n' },
    expected: ['CONFIG_VARIABLE_IN_RULE a.yaml:1:23 "\\"${var:OK}\\""'],
  },
  one('CONFIG_ONE_OF_FIELDS', 'neither', 'roles:\n  - permissions: []\n', '2:5 "permissions"'),
  one(
    'CONFIG_ONE_OF_FIELDS',
    'both',
    'rate_limit_policies:\n  - { client: Web shop, consumer_selector: default, absent: true }\n',
    '2:25 "consumer_selector"',
  ),
  one(
    'CONFIG_ONE_OF_FIELDS',
    'neither, of a policy',
    'rate_limit_policies:\n  - resource: oauth_authentication_api\n    configuration: { action: allow }\n',
    '2:5 "resource"',
  ),
  one('CONFIG_ROLE_EMPTY', 'a name alone', 'roles:\n  - name: Suport\n', '2:5 "name"'),
  one('CONFIG_ROLE_EMPTY', 'an id alone', 'roles: [{ id: rol_1 }]\n', '1:9 "{ id"'),
  one('CONFIG_INDENTATION', 'a key too far left', 'tenant:\n  name: a\n api: full\n', '3:2 "api: full"'),
  one(
    'CONFIG_ROLE_NAME_UNSUPPORTED',
    'a name',
    'tenant: { api: documented }\nroles: [{ name: Support, permissions: [] }]\n',
    '2:17 "Support"',
  ),
  ...(
    [
      ['an invisible character', 'Sup\u200bport'],
      ['a variation selector', 'Support\ufe0f'],
      ['a variation selector of the supplement', 'Support\u{e0100}'],
      ['a filler', 'Sup\u3164port'],
      ['a soft hyphen', 'Sup\u00adport'],
      ['a mark that changes the direction', '\u200fSupport'],
      ['a blank at the end', 'Support '],
      ['a blank at the start', '\u00a0Support'],
      ['letters that are not composed', 'Cafe\u0301'],
    ] as const
  ).flatMap(([when, name]) => [
    one(
      'CONFIG_LOOKALIKE_NAME',
      `${when}, in a role`,
      `roles:\n  - name: "${name}"\n    permissions: []\n`,
      `2:11 ${quoted(name)}`,
    ),
    one(
      'CONFIG_LOOKALIKE_NAME',
      `${when}, in a stream`,
      `event_streams:\n  - name: "${name}"\n    subscriptions: [{ event_type: user.created }]\n    destination: { type: webhook, configuration: { webhook_endpoint: https://a.example/ } }\n`,
      `2:11 ${quoted(name)}`,
    ),
  ]),
  one(
    'CONFIG_LOOKALIKE_NAME',
    'in a selector',
    allow.replace('consumer_selector: default', 'consumer_selector: "client_id:we\u200bb"'),
    `${allow.split('\n').findIndex((line) => line.includes('consumer_selector')) + 1}:24 ${quoted('client_id:we\u200bb')}`,
  ),
  one('CONFIG_DUPLICATE_IDENTITY', 'in one file', `${allow}${allow.slice(allow.indexOf('\n') + 1)}`, '8:24 "default"'),
  one(
    'CONFIG_DUPLICATE_ELEMENT',
    'a pair twice',
    `roles:\n  - id: a\n    permissions:\n${pair()}${pair()}`,
    '6:9 "resource_server_identifier"',
  ),
  one(
    'CONFIG_CONTRADICTION',
    'a pair in both lists',
    `roles:\n  - id: a\n    permissions:\n${pair()}    absent_permissions:\n${pair()}`,
    '7:9 "resource_server_identifier"',
  ),
  {
    code: 'CONFIG_ABSENT_PROTECTED',
    when: 'an absent item that a pattern covers, in another file',
    files: {
      'a.yaml': 'tenant:\n  protect: { rate_limit_policies: [third-*, "client_id:a*"] }\n',
      'b.yaml': 'rate_limit_policies:\n  - consumer_selector: client_id:abc\n    absent: true\n',
    },
    expected: ['CONFIG_ABSENT_PROTECTED b.yaml:3:5 "absent"'],
  },
  one(
    'CONFIG_ABSENT_PROTECTED',
    'a prompt',
    'tenant: { protect: { prompts: [login] } }\nprompts: { login: { absent: true } }\n',
    '2:21 "absent"',
  ),
  one(
    'CONFIG_ABSENT_PROTECTED',
    'a grant by the name that lists have for it',
    'tenant: { protect: { client_grants: ["id:c1/a"] } }\nclient_grants: [{ client: { id: c1 }, audience: a, absent: true }]\n',
    '2:52 "absent"',
  ),
  one(
    'CONFIG_UNMANAGED_FIELDS',
    'a field',
    'roles:\n  - id: a\n    permissions: []\n    unmanaged: true\n',
    '3:5 "permissions"',
  ),
  one(
    'CONFIG_UNMANAGED_FIELDS',
    'absent as well',
    'prompts: { login: { unmanaged: true, absent: true } }\n',
    '1:38 "absent"',
  ),
  one(
    'CONFIG_RENAME',
    'the own name',
    'roles:\n  - name: Support\n    renamed_from: Support\n    permissions: []\n',
    '3:19 "Support"',
  ),
  one('CONFIG_RENAME', 'an absent item', 'roles: [{ name: New, renamed_from: Old, absent: true }]\n', '1:36 "Old"'),
  one('CONFIG_RENAME', 'an item with an id', 'roles: [{ id: rol_1, name: New, renamed_from: Old }]\n', '1:47 "Old"'),
  {
    code: 'CONFIG_RENAME',
    when: 'two items that are renamed from one name, with both places',
    files: {
      'a.yaml': 'roles:\n  - { name: New, renamed_from: Old }\n',
      'b.yaml': 'roles:\n  - { name: Newer, renamed_from: Old }\n',
    },
    expected: ['CONFIG_RENAME b.yaml:2:34 "Old"'],
  },
  {
    code: 'CONFIG_RENAME',
    when: 'a name that another item has, with both places',
    files: {
      'a.yaml': 'roles:\n  - { name: New, renamed_from: Old }\n',
      'b.yaml': 'roles:\n  - { name: Old, permissions: [] }\n',
    },
    expected: ['CONFIG_RENAME a.yaml:2:32 "Old"'],
  },
  one(
    'CONFIG_UNMANAGED_FIELDS',
    'renamed_from',
    'roles: [{ name: New, renamed_from: Old, unmanaged: true }]\n',
    '1:22 "renamed_from"',
  ),
  one('CONFIG_NOTHING_MANAGED', 'a header alone', 'tenant: { name: a }\n', '1:1 "tenant"'),
  one('CONFIG_REFERENCE_MISSING', 'no such file', loginFile('{ file: x.liquid }'), '5:24 "x.liquid"'),
  one('CONFIG_REFERENCE_OUTSIDE', 'a way out', loginFile('{ file: ../x.liquid }'), '5:24 "../x.liquid"'),
  one('CONFIG_REFERENCE_NOT_A_FILE', 'the folder itself', loginFile('{ file: . }'), '5:24 "."'),
];

function pair(): string {
  return '      - resource_server_identifier: https://a.example/\n        permission_name: read\n';
}

function bomb(): string {
  const levels = 'abcdefgh'.split('').map(
    (name, index, names) =>
      `  - &${name} [${Array(9)
        .fill(index === 0 ? 'x' : `*${names[index - 1]}`)
        .join(', ')}]\n`,
  );
  return `rolls:\n${levels.slice(0, 7).join('')}  - *h\n`.replace(
    '  - *h',
    `  - &h [${Array(9).fill('*g').join(', ')}]\n  - *h`,
  );
}

describe('each problem of the files has its code, its location and its underlined text', () => {
  for (const { code, when, files, expected } of cases)
    test(`${code}: ${when}`, async () => expect(await problemsIn(files)).toEqual(expected));
});
