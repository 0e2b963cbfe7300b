import { describe, expect, test } from 'vitest';
import { readEnvironment as readFrom, stateFolder, stateUrl, withVariablesOf } from '../../src/cli/environment.ts';

const base = { TENANT_SYNC_BASE_URL: 'https://login.acme.example/api/v2' };
const client = { TENANT_SYNC_CLIENT_ID: 'ci', TENANT_SYNC_CLIENT_SECRET: 'planted-secret' };
const readEnvironment = (env: Record<string, string>) => readFrom({ env, cwd: '/' });
const codesOf = (result: Awaited<ReturnType<typeof readFrom>>) =>
  'baseUrl' in result ? [] : result.map(({ code }) => code);

test('where the state is kept has no control characters at its ends', () => {
  const env = { TENANT_SYNC_STATE_DIR: '/state\n', TENANT_SYNC_STATE_URL: 'postgres://db/x\r\n' };
  const named = (name: string) =>
    expect.objectContaining({ diagnostics: [expect.objectContaining({ message: expect.stringContaining(name) })] });
  expect(() => stateFolder({ env, cwd: '/' }, undefined)).toThrow(named('TENANT_SYNC_STATE_DIR'));
  expect(() => stateUrl({ env })).toThrow(named('TENANT_SYNC_STATE_URL'));
  expect(stateFolder({ env, cwd: '/' }, '/other')).toBe('/other');
});

test('a token goes with the host', async () => {
  expect(await readEnvironment({ ...base, TENANT_SYNC_TOKEN: 'abc' })).toEqual({
    baseUrl: base.TENANT_SYNC_BASE_URL,
    proxies: {},
    credentials: { token: 'abc' },
  });
});

test('client credentials: the authority follows from the base URL, and the audience is left to the client', async () => {
  expect(await readEnvironment({ ...base, ...client })).toEqual({
    baseUrl: base.TENANT_SYNC_BASE_URL,
    proxies: {},
    credentials: {
      clientId: 'ci',
      clientSecret: 'planted-secret',
    },
  });
});

test('client credentials: authority and audience can be set', async () => {
  const env = {
    ...base,
    ...client,
    TENANT_SYNC_AUTH_URL: 'https://auth.acme.example',
    TENANT_SYNC_AUDIENCE: 'urn:api',
  };
  expect(await readEnvironment(env)).toMatchObject({
    credentials: { authUrl: 'https://auth.acme.example', audience: 'urn:api' },
  });
});

describe('errors, all at once', () => {
  test.each([
    ['nothing set', {}, ['ENV_MISSING', 'ENV_MISSING']],
    ['no credentials', base, ['ENV_MISSING']],
    ['half a client', { ...base, TENANT_SYNC_CLIENT_ID: 'ci' }, ['ENV_MISSING']],
    ['the other half', { ...base, TENANT_SYNC_CLIENT_SECRET: 'planted-secret' }, ['ENV_MISSING']],
    ['token and client', { ...base, ...client, TENANT_SYNC_TOKEN: 'abc' }, ['ENV_INVALID']],
    ['a token with a line break', { ...base, TENANT_SYNC_TOKEN: 'abc\ndef' }, ['ENV_INVALID']],
    ['a token with a line end', { ...base, TENANT_SYNC_TOKEN: 'abc\n' }, ['ENV_INVALID']],
    ['a client id with a line end', { ...base, ...client, TENANT_SYNC_CLIENT_ID: 'ci\r\n' }, ['ENV_INVALID']],
    ['a secret with a tab', { ...base, ...client, TENANT_SYNC_CLIENT_SECRET: '\tsecret' }, ['ENV_INVALID']],
    ['an audience with a line end', { ...base, ...client, TENANT_SYNC_AUDIENCE: 'urn:api\n' }, ['ENV_INVALID']],
    ['a base URL with a line end', { TENANT_SYNC_BASE_URL: 'https://a/api/v2\n', ...client }, ['ENV_INVALID']],
    [
      'a key file whose name has a line end',
      { ...base, TENANT_SYNC_CLIENT_ID: 'ci', TENANT_SYNC_PRIVATE_KEY_FILE: 'key.pem\n' },
      ['ENV_INVALID'],
    ],
    ['a bad authority', { ...base, ...client, TENANT_SYNC_AUTH_URL: 'http://auth.acme.example' }, ['ENV_INVALID']],
    ['a proxy of another kind', { ...base, ...client, https_proxy: 'socks5://planted:pw@proxy' }, ['ENV_INVALID']],
    ['a proxy with a line end', { ...base, ...client, HTTPS_PROXY: 'http://proxy:3128\n' }, ['ENV_INVALID']],
    [
      'a proxy with a password as it is',
      { ...base, ...client, HTTPS_PROXY: 'http://ci:p@s/s@proxy:3128' },
      ['ENV_INVALID'],
    ],
    ['a proxy that this host does not use', { ...base, ...client, HTTP_PROXY: 'socks5://proxy' }, []],
    [
      'certificates not checked',
      { ...base, TENANT_SYNC_TOKEN: 'abc', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      ['ENV_INVALID'],
    ],
  ])('%s', async (_name, env, codes) => {
    expect(codesOf(await readEnvironment(env as Record<string, string>))).toEqual(codes);
  });

  test.each([
    ['https://login.acme.example/api/v2', true],
    ['http://127.0.0.1:4010/api/v2', true],
    ['http://localhost:4010/api/v2', true],
    ['http://[::1]:4010/api/v2', true],
    ['http://login.acme.example/api/v2', false],
    ['http://127.evil.example/api/v2', false],
    ['https://login.acme.example/api/v2/', false],
    ['https://login.acme.example', false],
    ['https://login.acme.example/x/api/v2', false],
    ['https://login.acme.example/x/../api/v2', true],
    ['https://user:pw@login.acme.example/api/v2', false],
    ['https://login.acme.example/api/v2?x=/api/v2', false],
    ['https://login.acme.example/#/api/v2', false],
    ['ftp://login.acme.example/api/v2', false],
    ['login.acme.example/api/v2', false],
    ['https://login.acme.example\\@evil.example/api/v2', false],
  ])('base URL %s: %s', async (url, usable) => {
    expect(codesOf(await readEnvironment({ TENANT_SYNC_BASE_URL: url, TENANT_SYNC_TOKEN: 'abc' }))).toEqual(
      usable ? [] : ['ENV_INVALID'],
    );
  });

  test.each([
    'socks5://user:planted-password@proxy',
    'http://user:planted@planted.example/planted@proxy:3128',
    'http://user:1/planted@proxy:3128',
    'http://user:1?planted@proxy:3128',
  ])('no message carries a secret, such as that of %s', async (proxy) => {
    const result = await readEnvironment({
      TENANT_SYNC_BASE_URL: 'x',
      TENANT_SYNC_TOKEN: 'planted token',
      TENANT_SYNC_CLIENT_SECRET: 'planted-secret',
      TENANT_SYNC_AUTH_URL: 'https://auth.acme.example',
      HTTPS_PROXY: proxy,
    });
    expect(JSON.stringify(result)).toMatch(/HTTPS_PROXY cannot be used/);
    expect(JSON.stringify(result)).not.toMatch(/planted/);
  });
});

test.each([
  ['check TENANT_SYNC_CLIENT_ID, TENANT_SYNC_PRIVATE_KEY_FILE', 'check ACME_DEV_CLIENT_ID, ACME_DEV_PRIVATE_KEY_FILE'],
  ['set TENANT_SYNC_STATE_DIR or TENANT_SYNC_STATE_URL', 'set TENANT_SYNC_STATE_DIR or TENANT_SYNC_STATE_URL'],
  ['set MY_TENANT_SYNC_TOKEN or TENANT_SYNC_TOKENS', 'set MY_TENANT_SYNC_TOKEN or TENANT_SYNC_TOKENS'],
])('%s, for the tenant with the prefix ACME_DEV', (text, expected) => {
  expect(withVariablesOf('ACME_DEV', text)).toBe(expected);
});
