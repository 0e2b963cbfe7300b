// What files can have in fields of described kinds, as `validate` sees it.
import { expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const client = (fields: string) => `clients:\n  - { name: Web shop, ${fields} }\n`;
const database = (options: string) => `connections:\n  - { name: db, strategy: auth0, options: { ${options} } }\n`;
const grant = (fields: string) => `client_grants:\n  - { client: Web shop, audience: https://a.example/, ${fields} }\n`;

async function validate(text: string, files: Readonly<Record<string, string>> = {}) {
  const cwd = await folder({ 'a.yaml': text, ...files });
  const env = { TENANT_VAR_KEY: 'planted-key' };
  const { code, stdout } = await runCommand(['validate'], { cwd, env });
  return { code, stdout };
}

test.each<[string, string, Readonly<Record<string, string>>?]>([
  ['null where the service can clear the field', client('callbacks: null')],
  ['a tilde', client('description: ~')],
  ['an alias of null', client('description: &none ~, logo_uri: *none')],
  ['a text in a file', client('custom_login_page: { file: page.html }'), { 'page.html': '<p>Hi</p>' }],
  ['a script in a file', database('customScripts: { login: { file: login.js } }'), { 'login.js': 'go();' }],
  ['secrets in a map', database(`configuration: { KEY: "\${env:TENANT_VAR_KEY}" }`)],
  ['settings under the name of a secret', database('authentication_methods: { password: { enabled: true } }')],
  ['scopes beside allow_all_scopes: false', grant('allow_all_scopes: false, scope: [a]')],
])('%s', async (_name, text, files) => {
  expect(await validate(text, files)).toMatchObject({ code: 0 });
});

test.each<[string, string, string]>([
  ['null where the field cannot be cleared', client('app_type: null, is_first_party: null'), 'CONFIG_NULL_VALUE'],
  ['a key without a value', 'clients:\n  - name: Web shop\n    callbacks:\n', 'CONFIG_NULL_VALUE'],
  ['a secret in a map', database('configuration: { KEY: hunter2hunter2 }'), 'CONFIG_SECRET_IN_FILE'],
  [
    'a secret among settings',
    database('authentication_methods: { password: hunter2hunter2 }'),
    'CONFIG_SECRET_IN_FILE',
  ],
  ['scopes beside allow_all_scopes', grant('allow_all_scopes: true, scope: [a]'), 'CONFIG_UNKNOWN_FIELD'],
  ['two ways to say one thing', database('attributes: {}, requires_username: true'), 'CONFIG_UNKNOWN_FIELD'],
])('%s is refused', async (_name, text, expected) => {
  const { code, stdout } = await validate(text);
  expect(code).toBe(3);
  expect(stdout).toContain(expected);
  expect(stdout).not.toContain('hunter2');
});
