// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of these tests hold references.
// A key in the environment or in a file: how it is read, what is refused, and that nothing shows it.
import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodings } from '../support/encodings.ts';
import { filesOfEveryKind, seedOf } from '../support/files-and-tenant.ts';
import { keyPair } from '../support/key-pairs.ts';
import { runCommand } from '../support/run-command.ts';
import { allScopes } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const keys = keyPair();
const client = { client_id: 'keyed', public_keys: [keys.spki], scopes: allScopes };

async function keyedTenant(more = {}) {
  const tenant = await tenantWith(seedOf({ clients: [client], ...more }));
  return { tenant, env: { TENANT_SYNC_BASE_URL: tenant.baseUrl, TENANT_SYNC_CLIENT_ID: 'keyed' } };
}

async function keyFile(text = keys.pkcs8): Promise<string> {
  const path = join(await folder({}), 'key.pem');
  await writeFile(path, text);
  return path;
}

const files = { 'p.yaml': 'roles: []\n' };

describe('a run with a key', () => {
  test.each<[string, () => Promise<Record<string, string>>]>([
    ['in the environment', async () => ({ TENANT_SYNC_PRIVATE_KEY: keys.pkcs8 })],
    ['with \\n written out', async () => ({ TENANT_SYNC_PRIVATE_KEY: keys.traditional.replaceAll('\n', '\\n') })],
    ['in a file', async () => ({ TENANT_SYNC_PRIVATE_KEY_FILE: await keyFile() })],
    [
      'in a file behind a link',
      async () => {
        const link = join(await folder({}), 'link.pem');
        await symlink(await keyFile(), link);
        return { TENANT_SYNC_PRIVATE_KEY_FILE: link };
      },
    ],
  ])('%s reads the tenant', async (_where, given) => {
    const { env } = await keyedTenant();
    const result = await runCommand(['plan', await folder(files)], { env: { ...env, ...(await given()) } });
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  test('a relative path is one of the working directory', async () => {
    const { env } = await keyedTenant();
    const cwd = await folder(files);
    await writeFile(join(cwd, 'key.pem'), keys.pkcs8, { mode: 0o600 });
    const result = await runCommand(['plan'], { env: { ...env, TENANT_SYNC_PRIVATE_KEY_FILE: 'key.pem' }, cwd });
    expect(result.code).toBe(0);
  });

  test('an empty variable is not set', async () => {
    const { env } = await keyedTenant();
    const empty = { TENANT_SYNC_CLIENT_SECRET: '', TENANT_SYNC_PRIVATE_KEY_FILE: '', TENANT_SYNC_TOKEN: '' };
    const given = { ...env, ...empty, TENANT_SYNC_PRIVATE_KEY: keys.pkcs8 };
    expect((await runCommand(['plan', await folder(files)], { env: given })).code).toBe(0);
  });

  test.each([
    ['private key JWT (RS256)', { TENANT_SYNC_CLIENT_ID: 'keyed', TENANT_SYNC_PRIVATE_KEY: keys.pkcs8 }],
    ['client secret', { TENANT_SYNC_CLIENT_ID: 'ci', TENANT_SYNC_CLIENT_SECRET: 'planted-secret' }],
    ['access token', { TENANT_SYNC_TOKEN: 'planted-token' }],
  ])('--debug prints the method: %s', async (method, credentials) => {
    const { tenant } = await keyedTenant();
    const env = { TENANT_SYNC_BASE_URL: tenant.baseUrl, ...credentials };
    const { stderr } = await runCommand(['plan', await folder(files), '--debug'], { env });
    expect(stderr.match(/^debug: authentication: .*$/gm)).toEqual([`debug: authentication: ${method}`]);
    const quiet = await runCommand(['plan', await folder(files)], { env });
    expect(quiet.stderr).not.toContain('authentication:');
  });
});

describe('refused with exit code 3, before anything is sent', () => {
  const text = 'TENANT_SYNC_PRIVATE_KEY';
  const file = 'TENANT_SYNC_PRIVATE_KEY_FILE';
  const secret = 'TENANT_SYNC_CLIENT_SECRET';
  const together = (...names: string[]) => `${names.join(' and ')} cannot be set together.`;
  const fileHint = `set it to the path of a PEM file, or set ${text}`;

  test.each<[string, () => Promise<Record<string, string>>, string, string?]>([
    ['a key and a secret', async () => ({ [text]: keys.pkcs8, [secret]: 'x' }), together(secret, text)],
    ['a file and a secret', async () => ({ [file]: await keyFile(), [secret]: 'x' }), together(secret, file)],
    ['a key and a file', async () => ({ [text]: keys.pkcs8, [file]: 'x' }), together(text, file)],
    [
      'a key and a token',
      async () => ({ [text]: keys.pkcs8, TENANT_SYNC_TOKEN: 'x' }),
      together('TENANT_SYNC_TOKEN', 'TENANT_SYNC_CLIENT_ID', text),
    ],
    [
      'a public key',
      async () => ({ [text]: keys.spki }),
      `${text} cannot be used: it is a public key or a certificate.`,
      'use the private key that belongs to it',
    ],
    [
      'an encrypted key',
      async () => ({
        [text]: keys.privateKey
          .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
          .toString(),
      }),
      `${text} cannot be used: it is encrypted.`,
      'decrypt it: openssl pkey -in FILE -out OTHER_FILE',
    ],
    ['no key', async () => ({ [text]: 'planted-text' }), `${text} cannot be used: it is no complete PEM.`],
    [
      'no file',
      async () => ({ [file]: '/nowhere/k.pem' }),
      `${file} cannot be used: no such file, or it is not readable (ENOENT).`,
      fileHint,
    ],
    [
      'a folder',
      async () => ({ [file]: await folder({}) }),
      `${file} cannot be used: no such file, or it is not readable (NOT_REGULAR).`,
      fileHint,
    ],
    [
      'a pipe',
      async () => {
        const path = join(await folder({}), 'pipe');
        execFileSync('mkfifo', [path]);
        return { [file]: path };
      },
      `${file} cannot be used: no such file, or it is not readable (NOT_REGULAR).`,
      fileHint,
    ],
    [
      'a large file',
      async () => ({ [file]: await keyFile('x'.repeat(65_537)) }),
      `${file} cannot be used: no such file, or it is not readable (more than 64 KiB).`,
    ],
    [
      'the key in place of its path',
      async () => ({ [file]: keys.pkcs8 }),
      `${file} cannot be used: no such file, or it is not readable (`,
    ],
  ])('%s', async (_name, given, message, hint = '') => {
    const { tenant, env } = await keyedTenant();
    const { code, stderr } = await runCommand(['plan', await folder(files)], { env: { ...env, ...(await given()) } });
    expect([code, stderr.match(/^error {2}/gm)]).toEqual([3, ['error  ']]);
    expect(stderr).toContain(`ENV_INVALID\n  ${message}`);
    expect(stderr).toContain(hint);
    expect(stderr).not.toMatch(/MII|planted|nowhere/);
    expect(tenant.tenant.requests).toEqual([]);
  });

  test('a key without a client id', async () => {
    const { tenant } = await keyedTenant();
    const env = { TENANT_SYNC_BASE_URL: tenant.baseUrl, [text]: keys.pkcs8 };
    const { code, stderr } = await runCommand(['plan', await folder(files)], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('TENANT_SYNC_CLIENT_ID is not set');
  });

  test.each([0o400, 0o644])('a file of mode %o is read', async (mode) => {
    const { env } = await keyedTenant();
    const path = await keyFile();
    await chmod(path, mode);
    expect((await runCommand(['plan', await folder(files)], { env: { ...env, [file]: path } })).code).toBe(0);
  });
});

describe('a key is a credential', () => {
  const body = keys.pkcs8.split('\n').slice(1, -2);
  const expectNoKey = (text: string) => {
    for (const line of body.filter(({ length }) => length >= 12))
      for (const encode of Object.values(encodings)) expect(text).not.toContain(encode(line).slice(4, -4));
  };

  test.each(['TENANT_SYNC_PRIVATE_KEY', 'TENANT_SYNC_PRIVATE_KEY_FILE'])('no file may read %s', async (name) => {
    const { env } = await keyedTenant();
    const given = name.endsWith('FILE') ? await keyFile() : keys.pkcs8;
    const root = await folder({ 'p.yaml': `tenant: { name: "\${env:${name}}" }\nroles: []\n` });
    const { code, stderr } = await runCommand(['plan', root, '--allow-env', '*'], { env: { ...env, [name]: given } });
    expect([code, stderr.includes('CONFIG_VARIABLE_FORBIDDEN')]).toEqual([3, true]);
    expectNoKey(stderr);
  });

  test.each<[string, (key: string) => Promise<Record<string, string>>]>([
    ['the environment', async (key) => ({ TENANT_SYNC_PRIVATE_KEY: key })],
    ['the environment on one line', async (key) => ({ TENANT_SYNC_PRIVATE_KEY: key.replaceAll('\n', '\\n') })],
    ['a file', async (key) => ({ TENANT_SYNC_PRIVATE_KEY_FILE: await keyFile(key) })],
  ])(
    'from %s is not shown or written by any command, although the files and the tenant repeat it',
    async (_where, given) => {
      const streams = [keys.pkcs8, body.join(''), ...body.slice(0, 2)].flatMap((text, at) =>
        Object.values(encodings).map((encode, form) => ({ id: `est_${at}_${form}`, name: encode(text) })),
      );
      const { env } = await keyedTenant({ event_streams: streams });
      const all = { ...env, ...(await given(keys.pkcs8)), TENANT_VAR_CRM: keys.pkcs8 };
      const kept = await folder({
        ...filesOfEveryKind,
        'tenant.yaml': 'tenant: { undeclared: { event_streams: report } }\n',
      });
      const partial = (text: string) =>
        folder({ 'p.yaml': `prompts:\n  login:\n    partials:\n      login:\n        form-content-start: ${text}\n` });
      const repeating = await partial(`|\n          ${keys.pkcs8.trim().replaceAll('\n', '\n          ')}`);
      const named = await partial('"${env:TENANT_VAR_CRM}"');
      for (const command of [['validate'], ['plan', '--debug'], ['drift', '--detail', 'full'], ['apply', '--yes']])
        for (const root of [kept, repeating, named]) {
          const state = await folder({});
          const [name = '', ...options] = command;
          const report = ['--report', `json=${join(state, 'report.json')}`];
          const run = await runCommand([name, root, ...options, ...report], {
            env: { ...all, TENANT_SYNC_STATE_DIR: state },
          });
          expectNoKey(run.stdout + run.stderr);
          if (root !== kept && name !== 'validate')
            expect([run.code, run.stderr.includes('CONFIG_CREDENTIAL_EXPOSED')]).toEqual([3, true]);
          for (const path of await readdir(state, { recursive: true, withFileTypes: true }))
            if (path.isFile()) expectNoKey(await readFile(join(path.parentPath, path.name), 'utf8'));
        }
    },
  );
});

test('an excerpt of a file hides a line of a key that is only in a key file', async () => {
  const [, , line = ''] = keys.pkcs8.split('\n');
  const root = await folder({ 'p.yaml': `roles: []\nunknown: "${line}"\n` });
  const { code, stdout } = await runCommand(['validate', root], {
    env: { TENANT_SYNC_PRIVATE_KEY_FILE: await keyFile() },
  });
  expect([code, stdout.includes('unknown: "***"'), stdout.includes(line)]).toEqual([3, true, false]);
});

test.each([
  ['a private key', { client_id: 'a', scopes: [], public_keys: [keys.pkcs8] }, 'it is a private key'],
  ['no key', { client_id: 'a', scopes: [], public_keys: ['x'] }, 'it is no complete PEM'],
  [
    'a secret as well',
    { client_id: 'a', scopes: [], public_keys: [keys.spki], client_secret: 'x' },
    'either client_secret or',
  ],
])('serve refuses a seeded client with %s', async (_name, client, why) => {
  const at = await folder({ 's.json': JSON.stringify({ clients: [client] }) });
  const { code, stderr } = await runCommand(['serve', '--seed', join(at, 's.json'), '--port', '0']);
  expect([code, stderr.includes(why)]).toEqual([3, true]);
});
