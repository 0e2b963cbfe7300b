// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of these tests hold references.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderSource } from '../../src/config/files/folder-source.ts';
import { loadDesired } from '../../src/config/load-desired.ts';
import { noVariables, readVariableOptions, type Variables } from '../../src/config/variables/variables.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { kinds } from '../support/all-kinds.ts';
import { loadFiles, summaryOf } from '../support/load-files.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { policyFile } from './file-texts.ts';

type Files = Readonly<Record<string, string>>;

const env = {
  HOST: 'crm.example',
  NUMBER: '7',
  YES: 'yes',
  NULL: 'null',
  EMPTY: '',
  BIG: '1e3',
  WORD: 'plain-word',
  ENDED: 'planted-value\r\n',
  STARTED: '\u0000planted-value',
  TENANT_SYNC_TOKEN: 'hunter2',
};

/** Options as the command line gives them, below the folder of the files. */
async function loadWith(
  files: Files,
  options: {
    readonly var?: readonly string[];
    readonly varFile?: readonly string[];
    readonly allowEnv?: readonly string[];
  } = {},
  variables = env,
) {
  const root = await folder({
    'tenant/.keep': '',
    ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`tenant/${file}`, text])),
  });
  const read = readVariableOptions(
    { env: variables, cwd: join(root, 'tenant') },
    { folder: '.', var: [], varFile: [], allowEnv: ['*'], ...options },
  );
  expect(read.faults).toEqual([]);
  return loadDesired(folderSource(join(root, 'tenant')), kinds, read.variables);
}

/** The value of the header's name, which any text can be, in each form in which YAML can write it. */
async function nameOf(written: string, files: Files = {}, options = {}) {
  const { desired, diagnostics } = await loadWith(
    { 'a.yaml': `tenant:\n  name: ${written}\nroles: []\n`, ...files },
    options,
  );
  return desired === null ? diagnostics.map(summaryOf) : desired.tenant.name;
}

const policy = (limit: string) =>
  policyFile(`
      action: block
      limit: ${limit}`);

describe('what a reference becomes', () => {
  test.each([
    ['${env:HOST}', 'crm.example'],
    ['"${env:HOST}"', 'crm.example'],
    ["'${env:HOST}'", 'crm.example'],
    ['https://${env:HOST}/${env:NUMBER}', 'https://crm.example/7'],
    ['${env:HOST}${env:NUMBER}', 'crm.example7'],
    ['"${env:NUMBER}"', '7'],
    ['"${env:YES} and ${env:BIG}"', 'yes and 1e3'],
    ['n${env:NUMBER}', 'n7'],
    ['|-\n    one ${env:HOST}\n    two ${env:NUMBER}', 'one crm.example\ntwo 7'],
    ['|-\n    ${env:NUMBER}', '7'],
    ['>-\n    one\n    ${env:HOST}', 'one crm.example'],
    ['one\n    ${env:HOST}', 'one crm.example'],
    ['"\\u0024{env:HOST}"', 'crm.example'],
    ['&n ${env:HOST}', 'crm.example'],
    ['$${env:HOST}', '${env:HOST}'],
    ['"a $${ b"', 'a ${ b'],
    ['$$${env:HOST}', '$${env:HOST}'],
    ['"$${${env:HOST}}"', '${crm.example}'],
    ['"$$ $HOST $(HOST) {HOST}"', '$$ $HOST $(HOST) {HOST}'],
  ])('%s', async (written, value) => expect(await nameOf(written)).toBe(value));

  test('a value is not looked at again', async () => {
    expect(await nameOf('${var:A}', {}, { var: ['A=${env:HOST} $${ *x', 'B=1'].slice(0, 1) })).toBe(
      '${env:HOST} $${ *x',
    );
  });

  test('a value that looks like YAML stays one text', async () => {
    const text = 'a\nroles: [{ id: x }]\n- b: "c';
    const { desired } = await loadWith({ 'a.yaml': 'tenant:\n  name: ${env:TEXT}\n' }, {}, {
      ...env,
      TEXT: text,
    } as typeof env);
    expect(desired?.tenant).toEqual({ name: text });
    expect([...(desired?.sections.keys() ?? [])]).toEqual([]);
  });

  test('every value of a file may hold references, also through an alias', async () => {
    const { desired, diagnostics } = await loadWith(
      {
        'a.yaml': `tenant:\n  name: &n \${var:NAME}\n  base_url: https://\${env:HOST}/api/v2\nroles:\n  - name: *n\n    permissions: { "x": ["\${env:WORD}"] }\n${policy('${env:NUMBER}')}`,
        'vars.yaml': 'NAME: acme\n',
      },
      {},
    );
    expect(diagnostics).toEqual([]);
    expect(desired?.tenant).toEqual({
      name: 'acme',
      base_url: 'https://crm.example/api/v2',
    });
    expect(desired?.sections.get('roles')?.items[0]?.value).toMatchObject({
      name: 'acme',
      permissions: [{ permission_name: 'plain-word' }],
    });
    expect(desired?.sections.get('rate_limit_policies')?.items[0]?.value).toMatchObject({
      configuration: { action: 'block', limit: 7 },
    });
  });
});

describe('rules of the header', () => {
  const codes = ['0123456789abcdef01234567', '89abcdef0123456789abcdef'];
  const given = { 'vars.yaml': `OK: ${codes[0]}\nCOUNT: 999\nAPI: full\nKIND: roles\n` };

  test.each([
    ['approvals: ["${var:OK}"]', 'a.yaml:2:15 "\\"${var:OK}\\""'],
    [`approvals: ["${codes[1]}", "\${env:CODE}"]`, 'a.yaml:2:43 "\\"${env:CODE}\\""'],
    ['guards: { max_delete_percent: 1, max_delete_count: &c 7 }\n  api: ${var:API}', 'a.yaml:3:8 "${var:API}"'],
    ['guards:\n    max_delete_count: ${var:COUNT}', 'a.yaml:3:23 "${var:COUNT}"'],
    ['protect: { roles: ["x ${env:WORD}"] }', 'a.yaml:2:22 "\\"x ${env:WORD}\\""'],
    ['protect: { "a/b~": ["${env:WORD}"] }', 'a.yaml:2:23 "\\"${env:WORD}\\""'],
    ['undeclared: { roles: "${var:KIND}" }', 'a.yaml:2:24 "\\"${var:KIND}\\""'],
    ['name: &n "${var:OK}"\n  approvals: [*n]', 'a.yaml:2:12 "\\"${var:OK}\\""'],
  ])('have no references: %s', async (written, at) => {
    const file = { 'a.yaml': `tenant:\n  ${written}\nroles: []\n`, ...given };
    const { diagnostics } = await loadWith(file, {}, { ...env, CODE: codes[0] } as typeof env);
    expect(diagnostics.map(summaryOf)).toContain(`CONFIG_VARIABLE_IN_RULE ${at}`);
  });

  test('may have an escaped ${, which is a text', async () => {
    const { desired } = await loadWith({ 'a.yaml': 'tenant:\n  protect: { roles: ["$${env:WORD}"] }\nroles: []\n' });
    expect(desired?.tenant.protect).toEqual({ roles: ['${env:WORD}'] });
  });
});

describe('types', () => {
  const limitOf = async (written: string, files: Files = {}, options = {}) => {
    const { desired, diagnostics } = await loadWith({ 'a.yaml': policy(written), ...files }, options);
    const value = desired?.sections.get('rate_limit_policies')?.items[0]?.value as
      | { configuration: { limit: unknown } }
      | undefined;
    return value?.configuration.limit ?? diagnostics.map(summaryOf);
  };

  test.each([
    ['text of the environment, alone and without quotes', '${env:NUMBER}', 7],
    ['in quotes it takes the type of the field', '"${env:NUMBER}"', 7],
    ['in quotes, where it is no number', '"${var:WORD}"', ['CONFIG_WRONG_TYPE a.yaml:7:14 "\\"${var:WORD}\\""']],
    ['with other text it is text', '1${env:NUMBER}', ['CONFIG_WRONG_TYPE a.yaml:7:14 "1${env:NUMBER}"']],
    ['what YAML tools disagree on is no number', '${env:YES}', ['CONFIG_WRONG_TYPE a.yaml:7:14 "${env:YES}"']],
    ['a number in another form', '${env:BIG}', ['CONFIG_WRONG_TYPE a.yaml:7:14 "${env:BIG}"']],
    ['nothing', '${env:NULL}', ['CONFIG_WRONG_TYPE a.yaml:7:14 "${env:NULL}"']],
    ['text of an option', '${var:OPTION}', 9],
    ['a number of a file', '${var:FILE}', 8],
    ['text of a file takes the type of the field', '${var:TEXT}', 8],
    ['true of a file is no number', '${var:BOOL}', ['CONFIG_WRONG_TYPE a.yaml:7:14 "${var:BOOL}"']],
  ])('%s', async (_when, written, expected) => {
    const files = {
      'vars.yaml': 'FILE: 8\nTEXT: "8"\nBOOL: true\nWORD: many\n',
      'b.yaml': 'tenant:\n  name: "${var:OPTION}"\nroles: []\n',
    };
    expect(await limitOf(written, files, { var: ['OPTION=9'] })).toEqual(expected);
  });

  test('a value of a file in quotes is text', async () => {
    expect(await nameOf('"${var:A} ${var:B}"', { 'vars.yaml': 'A: 8\nB: true\n' })).toBe('8 true');
    expect(await nameOf('${var:A}', { 'vars.yaml': 'A: "yes"\n' })).toBe('yes');
    expect(await nameOf('${var:A}', { 'vars.yaml': 'A: 8\n' })).toBe('8');
    expect(await nameOf('"${var:A}"', { 'vars.yaml': 'A: true\n' })).toBe('true');
  });

  test('where the field needs text, text of the environment is text, in quotes or not', async () => {
    for (const [name, text] of Object.entries(env)) {
      if (!/^(?:NUMBER|YES|BIG|NULL)$/.test(name)) continue;
      expect(await nameOf(`\${env:${name}}`)).toBe(text);
      expect(await nameOf(`"\${env:${name}}"`)).toBe(text);
    }
  });
});

describe('sources of a variable: a later one wins', () => {
  const files = { 'vars.yaml': 'A: vars\n', '.one.yaml': 'A: one\n', '.two.yaml': 'A: two\n' };
  test.each([
    [{}, 'vars'],
    [{ varFile: ['.one.yaml'] }, 'one'],
    [{ varFile: ['.one.yaml', '.two.yaml'] }, 'two'],
    [{ varFile: ['.two.yaml', '.one.yaml'] }, 'one'],
    [{ varFile: ['.two.yaml'], var: ['A=option'] }, 'option'],
    [{ var: ['A=first', 'A=a=b '] }, 'a=b '],
  ])('%j', async (options, value) => expect(await nameOf('${var:A}', files, options)).toBe(value));

  test('vars.yaml has no sections and is not counted; in a lower folder it is', async () => {
    const { desired, files: count } = await loadWith({
      ...files,
      'a.yaml': 'roles: []\n',
      'sub/vars.yaml': 'event_streams: []\n',
    });
    expect([count, ...(desired?.sections.keys() ?? [])]).toEqual([2, 'roles', 'event_streams']);
  });

  test('a folder with nothing else is empty', async () => {
    expect((await loadWith({ 'vars.yaml': 'A: 1\n' })).diagnostics.map(summaryOf)).toEqual(['CONFIG_EMPTY_FOLDER']);
  });

  test('without sources a reference is reported as missing', async () => {
    const { diagnostics } = await loadFiles({ 'a.yaml': 'tenant:\n  name: ${env:TENANT_VAR_A}${var:A}\n' });
    expect(diagnostics.map(summaryOf)).toEqual([
      'CONFIG_VARIABLE_MISSING a.yaml:2:9 "${env:TENANT_VAR_A}"',
      'CONFIG_VARIABLE_MISSING a.yaml:2:28 "${var:A}"',
    ]);
    expect(noVariables).toEqual({ env: {}, values: [], files: [] });
  });

  test('a name that every object has is not set', async () => {
    expect(await nameOf('${env:constructor}${var:toString}')).toEqual([
      'CONFIG_VARIABLE_MISSING a.yaml:2:9 "${env:constructor}"',
      'CONFIG_VARIABLE_MISSING a.yaml:2:27 "${var:toString}"',
    ]);
  });
});

describe('problems are located at the reference', () => {
  test.each([
    ['a ${x', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:11 "${x"'],
    ['${HOST} b', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:9 "${HOST}"'],
    ['"a ${env:} b"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:12 "${env:}"'],
    ['"${env: HOST}"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:10 "${env:"'],
    ["'it''s ${env:1A}'", 'CONFIG_VARIABLE_MALFORMED a.yaml:2:16 "${env:1A}"'],
    ['"\\t\\\\${ENV:A}"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:14 "${ENV:A}"'],
    [
      '"\\\\x24{ \\x24\\u007bfile:a}"',
      'CONFIG_VARIABLE_MALFORMED a.yaml:2:9 "\\"\\\\\\\\x24{ \\\\x24\\\\u007bfile:a}\\""',
    ],
    ['"${"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:10 "${"'],
    ['"$${a} ${b}"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:16 "${b}"'],
    ['"${env:${env:HOST}}"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:10 "${env:${env:HOST}}"'],
    ['"a $\\\n    {b}"', 'CONFIG_VARIABLE_MALFORMED a.yaml:2:9 "\\"a $\\\\"'],
    ['"one\n    two ${b}"', 'CONFIG_VARIABLE_MALFORMED a.yaml:3:9 "${b}"'],
    ['| # ${c}\n    one\n    two ${b}', 'CONFIG_VARIABLE_MALFORMED a.yaml:4:9 "${b}"'],
    ['>-\n    ${env:HOST} two\n    ${b}', 'CONFIG_VARIABLE_MALFORMED a.yaml:4:5 "${b}"'],
    ['${env:NONE}', 'CONFIG_VARIABLE_MISSING a.yaml:2:9 "${env:NONE}"'],
    ['a-${var:NONE}', 'CONFIG_VARIABLE_MISSING a.yaml:2:11 "${var:NONE}"'],
    ['"${env:EMPTY}"', 'CONFIG_VARIABLE_EMPTY a.yaml:2:10 "${env:EMPTY}"'],
    ['a ${env:ENDED}', 'ENV_INVALID a.yaml:2:11 "${env:ENDED}"'],
    ['"${env:STARTED}"', 'ENV_INVALID a.yaml:2:10 "${env:STARTED}"'],
    ['a ${env:TENANT_SYNC_TOKEN}', 'CONFIG_VARIABLE_FORBIDDEN a.yaml:2:11 "${env:TENANT_SYNC_TOKEN}"'],
    ['${env:tenant_sync_other}', 'CONFIG_VARIABLE_FORBIDDEN a.yaml:2:9 "${env:tenant_sync_other}"'],
  ])('%s', async (written, fault) => expect(await nameOf(written)).toEqual([fault]));

  test('all of all files at once', async () => {
    const { diagnostics } = await loadWith({
      'a.yaml': 'tenant:\n  name: ${env:NONE} ${b} ${var:C}\n  api: ${env:HOST}\n',
      'b.yaml':
        'roles:\n  - id: ${env:EMPTY}\n  - id: &a ${var:D}\n    permissions: [{ resource_server_identifier: *a, permission_name: x }]\n',
    });
    expect(diagnostics.map(summaryOf)).toEqual([
      'CONFIG_VARIABLE_MISSING a.yaml:2:9 "${env:NONE}"',
      'CONFIG_VARIABLE_MALFORMED a.yaml:2:21 "${b}"',
      'CONFIG_VARIABLE_MISSING a.yaml:2:26 "${var:C}"',
      'CONFIG_UNKNOWN_VALUE a.yaml:3:8 "${env:HOST}"',
      'CONFIG_VARIABLE_IN_RULE a.yaml:3:8 "${env:HOST}"',
      'CONFIG_VARIABLE_EMPTY b.yaml:2:9 "${env:EMPTY}"',
      'CONFIG_VARIABLE_MISSING b.yaml:3:12 "${var:D}"',
    ]);
  });

  test('in a key', async () => {
    const { diagnostics } = await loadWith({
      'a.yaml': 'prompts:\n  login:\n    partials:\n      ${env:HOST}: {}\n      "a${": {}\n',
    });
    expect(diagnostics.map(summaryOf)).toEqual([
      'CONFIG_VARIABLE_MALFORMED a.yaml:4:7 "${env:HOST}"',
      'CONFIG_VARIABLE_MALFORMED a.yaml:5:7 "\\"a${\\""',
    ]);
  });

  test.each([
    ['tenant: { name: ${env:HOST} }\n', 'CONFIG_YAML_SYNTAX a.yaml:1:18 "{"'],
    ['tenant: { name: x-${env:HOST}, api: full }\n', 'CONFIG_YAML_SYNTAX a.yaml:1:20 "{"'],
    ['roles: [${env:HOST}]\n', 'CONFIG_YAML_SYNTAX a.yaml:1:10 "{"'],
  ])('without quotes inside brackets: %s', async (text, fault) => {
    const { diagnostics } = await loadWith({ 'a.yaml': text });
    expect(diagnostics.map(summaryOf)).toEqual([fault]);
    expect(diagnostics[0]?.message).toBe(
      'Inside brackets, a reference must be in quotes, because a brace ends an unquoted string.',
    );
  });
});

describe('messages', () => {
  test.each([
    [
      '${x}',
      'This ${ does not start a reference. References are ${env:NAME} and ${var:NAME}; a name has letters, digits and _, and does not start with a digit.',
      'correct the reference, or write $${ for a literal ${',
    ],
    [
      '${env:NONE}',
      'The environment variable NONE is not set.',
      'set NONE in the environment of this command, or correct the name',
    ],
    ['${var:REGIN}', 'The variable REGIN is not defined in vars.yaml, --var-file or --var.', 'did you mean "REGION"?'],
    [
      '${var:ABC}',
      'The variable ABC is not defined in vars.yaml, --var-file or --var.',
      'add "ABC: value" to vars.yaml in the tenant folder, or pass --var ABC=value',
    ],
    [
      '${env:EMPTY}',
      'The value of ${env:EMPTY} is empty. An empty value is an error, because it usually means that something was not set.',
      'set EMPTY to a value',
    ],
    [
      '${env:ENDED}',
      'ENDED starts or ends with a control character, such as a line end.',
      'set it to the value alone; printf writes no line end, echo does',
    ],
    [
      '${var:NOTHING}',
      'The value of ${var:NOTHING} is empty. An empty value is an error, because it usually means that something was not set.',
      'give NOTHING a value, or delete the reference',
    ],
    [
      '${env:TENANT_SYNC_TOKEN}',
      'TENANT_SYNC_TOKEN cannot be read. It is a credential of a tenant, by its name, and no option allows it.',
      'if it is none, rename it to TENANT_VAR_TOKEN in the environment and here',
    ],
  ])('%s', async (written, message, hint) => {
    const { diagnostics } = await loadWith({
      'a.yaml': `tenant:\n  name: ${written}\nroles: []\n`,
      'vars.yaml': 'REGION: eu\nNOTHING: ""\n',
    });
    expect(diagnostics).toMatchObject([{ message, hint }]);
  });
});

describe('messages about values beside a reference', () => {
  const words = async (files: Files) =>
    (await loadWith(files)).diagnostics.map(({ message, hint }) => `${message} | ${hint}`);

  test('text where a number is needed', async () => {
    expect(await words({ 'a.yaml': policy('"${env:HOST}"') })).toEqual([
      expect.stringContaining('| set the value of the reference to plain digits, without other text'),
    ]);
  });

  test('a key', async () => {
    expect(await words({ 'a.yaml': 'prompts:\n  ${env:HOST}: {}\n' })).toEqual([
      'References are not allowed in keys. | write the key itself; references work in values only',
    ]);
  });

  test.each([
    ['A-B: 1\n', '"A-B" is not a valid key in the file. | use letters, digits and _, and no digit at the start'],
    [
      'A: []\n',
      '"A" must be a string, a number or true or false, but it is a list. | define one variable for each value',
    ],
    [
      'A: ${var:B}\n',
      'References are not resolved in variable files. | write the value itself, or $${ for a literal ${',
    ],
    [
      '- A\n',
      'A file must be a mapping: of sections, or of names of variables to values. | start each line with a key and a colon',
    ],
    [
      '',
      'The file is empty or has only comments. It could mean "unmanaged" or "none", so it is an error. | delete the file, or add a section, or to a variable file a variable; an empty section is written []',
    ],
  ])('vars.yaml: %j', async (vars, text) =>
    expect(await words({ 'a.yaml': 'roles: []\n', 'vars.yaml': vars })).toEqual([text]),
  );
});

describe('variable files', () => {
  test.each([
    ['A: 1\nA-B: 1\n', 'CONFIG_BAD_FORMAT vars.yaml:2:1 "A-B"'],
    ['A: [1]\n', 'CONFIG_WRONG_TYPE vars.yaml:1:4 "[1]"'],
    ['A: { B: 1 }\n', 'CONFIG_WRONG_TYPE vars.yaml:1:4 "{ B: 1 }"'],
    ['A: x ${env:HOST}\n', 'CONFIG_VARIABLE_MALFORMED vars.yaml:1:6 "${env:HOST}"'],
    ['A: "$${ ${b"\n', 'CONFIG_VARIABLE_MALFORMED vars.yaml:1:9 "${b"'],
    ['A: no\n', 'CONFIG_AMBIGUOUS_SCALAR vars.yaml:1:4 "no"'],
    ['A:\n', 'CONFIG_NULL_VALUE vars.yaml:1:1 "A"'],
    ['A: 1\nA: 2\n', 'CONFIG_DUPLICATE_KEY vars.yaml:2:1 "A"'],
    ['- A\n', 'CONFIG_WRONG_TYPE vars.yaml:1:1 "- A"'],
    ['# none\n', 'CONFIG_EMPTY_FILE vars.yaml:1:1 "#"'],
    ['A: "\n', 'CONFIG_YAML_SYNTAX vars.yaml:1:4 "\\""'],
    ['A: 1\ntoken: x\n', 'CONFIG_SECRET_IN_FILE vars.yaml:2:1 "token"'],
  ])('%j', async (vars, fault) => {
    const { diagnostics, files } = await loadWith({
      'a.yaml': 'tenant:\n  name: x${var:A}\nroles: []\n',
      'vars.yaml': vars,
    });
    expect([diagnostics.map(summaryOf), files]).toEqual([[fault], 1]);
  });

  test('a literal ${ is doubled there as well', async () =>
    expect(await nameOf('${var:A}', { 'vars.yaml': 'A: x $${ y\n' })).toBe('x ${ y'));

  test('an empty value is reported where it is used', async () => {
    expect(await nameOf('x${var:A}', { 'vars.yaml': 'A: ""\nB: ""\n' })).toEqual([
      'CONFIG_VARIABLE_EMPTY a.yaml:2:10 "${var:A}"',
    ]);
  });

  test('one that cannot be read is reported, and nothing that follows from it', async () => {
    const root = await folder({ 'tenant/a.yaml': 'tenant:\n  name: ${var:A}\nroles: []\n', 'prod/bad.yaml': 'A: "' });
    await mkdir(join(root, 'prod/folder.yaml'));
    const { variables } = readVariableOptions(
      { env, cwd: root },
      { folder: 'tenant', var: ['UNUSED=1'], varFile: ['gone.yaml', 'prod/folder.yaml', 'prod/bad.yaml'] },
    );
    const { diagnostics } = await loadDesired(folderSource(join(root, 'tenant')), kinds, variables);
    expect(diagnostics.map((diagnostic) => `${summaryOf(diagnostic)} ${diagnostic.message}`)).toEqual([
      'OPTION_MATCHES_NOTHING --var UNUSED: no file refers to ${var:UNUSED}.',
      'CONFIG_FILE_UNREADABLE ../gone.yaml:1:1 The file does not exist.',
      expect.stringMatching(/^CONFIG_YAML_SYNTAX \.\.\/prod\/bad\.yaml:1:4 /),
      'CONFIG_FILE_UNREADABLE ../prod/folder.yaml:1:1 The file is not a regular file.',
    ]);
  });

  test('names that nothing refers to are silent', async () =>
    expect(await nameOf('a', { 'vars.yaml': 'UNUSED: 1\n' })).toBe('a'));
});

describe('options', () => {
  test.each([
    ['A', '--var needs NAME=value, but this one has no "=".'],
    ['hunter2', '--var needs NAME=value, but this one has no "=".'],
    ['=1', '--var "" is not a valid variable name: a name has letters, digits and _, and does not start with a digit.'],
    [
      'A-B=1',
      '--var "A-B" is not a valid variable name: a name has letters, digits and _, and does not start with a digit.',
    ],
    [
      '1=1',
      '--var "1" is not a valid variable name: a name has letters, digits and _, and does not start with a digit.',
    ],
  ])('--var %s is refused', (option, message) => {
    expect(readVariableOptions({ env, cwd: '/' }, { folder: '.', var: [option], varFile: [] })).toEqual({
      variables: { env, values: [], files: [] } satisfies Variables,
      faults: [{ code: 'OPTION_INVALID', severity: 'error', message, hint: 'write --var NAME=value' }],
    });
  });

  test('what they give', () => {
    const { variables } = readVariableOptions(
      { env, cwd: '/here' },
      { folder: '.', var: ['A=1', 'B=', 'C=a\nb=c'], varFile: ['x.yaml', '/y.yaml'] },
    );
    expect(variables.values).toEqual([
      { name: 'A', text: '1' },
      { name: 'B', text: '' },
      { name: 'C', text: 'a\nb=c' },
    ]);
    expect(variables.files.map(({ path }) => path)).toEqual(['x.yaml', '../y.yaml']);
  });

  test('--var that no file refers to is reported once, with the nearest name', async () => {
    const { diagnostics } = await loadWith(
      { 'a.yaml': 'tenant:\n  name: ${var:REGION}\nroles: []\n' },
      { var: ['REGION=eu', 'REGIN=us', 'REGIN=eu', 'OTHER=1'] },
    );
    expect(diagnostics.map(({ code, message, hint }) => `${code} ${message} | ${hint}`)).toEqual([
      'OPTION_MATCHES_NOTHING --var OTHER: no file refers to ${var:OTHER}. | remove the option, or use ${var:OTHER} in a file',
      'OPTION_MATCHES_NOTHING --var REGIN: no file refers to ${var:REGIN}. | did you mean "REGION"?',
    ]);
  });

  test('not while a file that may refer to it is broken', async () => {
    const { diagnostics } = await loadWith(
      { 'a.yaml': 'tenant: { name: "\n', 'b.yaml': 'roles: []\n' },
      { var: ['A=1'] },
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['CONFIG_YAML_SYNTAX']);
  });
});

describe('secrets', () => {
  const stream = (authorization: string, name = 'crm') =>
    `event_streams:\n  - name: ${name}\n    subscriptions: [{ event_type: user.created }]\n    destination:\n      type: webhook\n      configuration:\n        webhook_endpoint: https://crm.example/hook\n        webhook_authorization:\n          method: basic\n          username: crm\n          ${authorization}\n`;
  /** Whether the schema knows the field is not asked here. */
  const withoutSchema = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.filter(({ code }) => /SECRET|VARIABLE|TAG/.test(code)).map(summaryOf);

  test.each(['${env:CRM_PASSWORD}', '"${env:CRM_PASSWORD}"', "'${env:CRM_PASSWORD}'"])(
    '%s stays as it is, set or not',
    async (written) => {
      const { desired, diagnostics } = await loadWith({ 'a.yaml': stream(`password: ${written}`) });
      expect(diagnostics).toEqual([]);
      expect(desired?.sections.get('event_streams')?.items[0]?.value).toMatchObject({
        destination: {
          configuration: {
            webhook_authorization: { method: 'basic', username: 'crm', password: '${env:CRM_PASSWORD}' },
          },
        },
      });
    },
  );

  test.each([
    ['hunter2', 'password'],
    ['x${env:CRM_PASSWORD}', 'password'],
    ['${env:A}${env:B}', 'password'],
    ['${var:CRM_PASSWORD}', 'password'],
    ['$${env:CRM_PASSWORD}', 'password'],
    ['${env:1}', 'password'],
    ['!x ${env:CRM_PASSWORD}', 'password'],
    ['["${env:CRM_PASSWORD}"]', 'password'],
    ['*p', 'password'],
    ['', 'password'],
  ])('%s is refused', async (written, key) => {
    const { diagnostics } = await loadWith({
      'a.yaml': `tenant: { name: &p "\${env:HOST}" }\n${stream(`${key}: ${written}`)}`,
    });
    expect(withoutSchema(diagnostics)).toEqual(['CONFIG_SECRET_IN_FILE a.yaml:12:11 "password"']);
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
    expect(diagnostics.find(({ code }) => code === 'CONFIG_SECRET_IN_FILE')?.hint).toContain(
      'write password: ${env:NAME} and nothing else',
    );
  });

  test.each([
    ['secret\r\n', 'ENV_INVALID a.yaml:11:21'],
    ['\tsecret', 'ENV_INVALID a.yaml:11:21'],
    ['secret\u0085', 'ENV_INVALID a.yaml:11:21'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\r\n', ''],
    ['-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\n', ''],
    ['\n-----BEGIN A-----\nDEK-Info: x\n\nMIIE\n-----END A-----\n-----BEGIN B-----\nMIIE\n-----END B-----\n\n', ''],
    ['pass-----BEGIN x\n', 'ENV_INVALID a.yaml:11:21'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n', 'ENV_INVALID a.yaml:11:21'],
    ['pass\n-----BEGIN A-----\nMIIE\n-----END A-----\n', 'ENV_INVALID a.yaml:11:21'],
    ['-----BEGIN A-----\nMIIE\n-----END A-----\npass\n', 'ENV_INVALID a.yaml:11:21'],
    ['-----BEGIN A-----\nMIIE\n-----END A-----\t\n', 'ENV_INVALID a.yaml:11:21'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\u0000', 'ENV_INVALID a.yaml:11:21'],
    ['two\nlines', ''],
    [' spaces ', ''],
  ])('%j', async (password, problem) => {
    const values = { ...env, CRM_PASSWORD: password };
    const { diagnostics } = await loadWith({ 'a.yaml': stream('password: ${env:CRM_PASSWORD}') }, {}, values);
    expect(diagnostics.map(summaryOf).join().replace(/ ".*/, '')).toBe(problem);
    expect(JSON.stringify(diagnostics)).not.toContain('secret');
  });

  test('the credentials of the program are refused there too', async () => {
    const { diagnostics } = await loadWith({ 'a.yaml': stream('password: ${env:TENANT_SYNC_CLIENT_SECRET}') });
    expect(withoutSchema(diagnostics).map((text) => text.slice(0, text.indexOf(' "')))).toEqual([
      'CONFIG_VARIABLE_FORBIDDEN a.yaml:11:21',
    ]);
  });

  test('a key with a tag is still refused', async () => {
    const { diagnostics } = await loadWith({ 'a.yaml': stream('!x password: ${env:CRM_PASSWORD}') });
    expect(withoutSchema(diagnostics)).toEqual(['CONFIG_YAML_TAG a.yaml:11:11 "!x password"']);
  });

  test('a secret of one place in a printed value of another', async () => {
    const { diagnostics } = await loadWith({
      'a.yaml': stream('x: ${env:HOST}', 'u-${env:CRM_Password}'),
      'b.yaml': stream('password: ${env:CRM_PASSWORD}', 'b'),
      'c.yaml': stream('token: "${env:CRM_PASSWORD}"', 'c'),
    });
    expect(withoutSchema(diagnostics)).toEqual([
      'CONFIG_SECRET_EXPOSED a.yaml:2:13 "${env:CRM_Password}"',
      'CONFIG_VARIABLE_MISSING a.yaml:2:13 "${env:CRM_Password}"',
    ]);
    expect(diagnostics[0]?.message).toBe(
      'CRM_Password is used for a secret at b.yaml:11:21, but here its value would be shown in plans.',
    );
  });
});

describe('no value that a reference brought is reported', () => {
  const secretive = 'planted-value';
  const values = { ...env, A: secretive, B: `${secretive}.example`, N: '99999', S: 'abc' };
  const pair = '{ resource_server_identifier: "${env:A}", permission_name: "${env:S}" }';
  const item = (selector: string, configuration = '      action: allow\n') =>
    `  - resource: oauth_authentication_api\n    consumer: client\n    consumer_selector: ${selector}\n    configuration:\n${configuration}`;

  test.each([
    ['an enum', 'tenant:\n  api: ${env:A}\n', '"${env:A}" is not a valid value of "api".'],
    ['text for a number', 'tenant:\n  guards:\n    max_delete_count: ${env:A}\n', 'but it is a string.'],
    [
      'a range',
      `rate_limit_policies:\n${item('default', '      action: block\n      limit: ${env:N}\n')}`,
      'is ${env:N}, but must be',
    ],
    ['a form', `rate_limit_policies:\n${item('${env:A}')}`, '"${env:A}" is not a valid value of "consumer_selector"'],
    [
      'a discriminator',
      `rate_limit_policies:\n${item('default', '      action: ${env:A}\n')}`,
      '"${env:A}" is not a valid value of "action"',
    ],
    [
      'a format',
      'tenant:\n  base_url: http://${env:B}/api/v2\n',
      '"http://${env:B}/api/v2" is not a valid value of "base_url"',
    ],
    [
      'a field of a form',
      `rate_limit_policies:\n${item('default', '      action: "${var:V}"\n      limitt: 1\n')}`,
      'is not a field of a "${var:V}" configuration',
    ],
    [
      'an identity',
      `rate_limit_policies:\n${item('client_id:${env:A}')}${item('client_id:${env:A}')}`,
      '/client/client_id:${env:A}" is declared twice in',
    ],
    [
      'a pair twice',
      `roles:\n  - id: a\n    permissions: [${pair}, ${pair}]\n`,
      'This element is listed twice in permissions',
    ],
    [
      'a missing file',
      'prompts:\n  login:\n    partials:\n      login:\n        x:\n          file: ${env:A}\n',
      '"${env:A}" does not exist',
    ],
    [
      'a path that leads out',
      'prompts:\n  login:\n    partials:\n      login:\n        x:\n          file: ../${env:A}\n',
      '"../${env:A}" may point outside',
    ],
    [
      'a folder',
      'prompts:\n  login:\n    partials:\n      login:\n        x:\n          file: sub/../${env:F}\n',
      '"sub/../${env:F}" is not a regular file',
    ],
  ])('%s', async (_when, text, said) => {
    const { diagnostics } = await loadWith({ 'a.yaml': text, 'vars.yaml': 'V: allow\n', 'planted-folder/x': '' }, {}, {
      ...values,
      F: 'planted-folder',
    } as typeof env);
    expect(diagnostics.map(({ message }) => message).join('\n')).toContain(said);
    expect(JSON.stringify(diagnostics)).not.toMatch(/planted|99999|"abc/);
  });

  test('the address of another tenant', async () => {
    const root = await folder({ 'a.yaml': 'tenant:\n  base_url: https://${env:B}/api/v2\nroles: []\n' });
    const environment = { B: values.B, TENANT_SYNC_BASE_URL: 'https://b.example/api/v2', TENANT_SYNC_TOKEN: 'x' };
    const { code, stdout } = await runCommand(['plan', root, '--format', 'json', '--allow-env', 'B'], {
      env: environment,
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    expect([code, diagnostics]).toMatchObject([
      3,
      [
        {
          code: 'TENANT_MISMATCH',
          message:
            'These files belong to https://${env:B}/api/v2, but the base URL of the environment is https://b.example/api/v2.',
          source: { file: 'a.yaml', line: 2, column: 13 },
        },
      ],
    ]);
  });
});
