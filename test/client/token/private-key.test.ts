// A client that authenticates with a key: what is signed, and for which request.
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import type { ClientCredentials, ConnectOptions } from '../../../src/model/client.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/description.generated.ts';
import type { RecordedRequest, ScriptedAnswer } from '../../support/fault-server.ts';
import { keyPair } from '../../support/key-pairs.ts';
import { diagnosticOf, policyPage, reading, startBench } from '../builders.ts';

const keys = keyPair();
type Connection = Parameters<Parameters<typeof reading>[1]>[0];
const list = ({ reader }: Connection) => reader.list(policies.list, {});
const token = (count: number): ScriptedAnswer => ({
  body: { access_token: `t${count}`, token_type: 'Bearer', expires_in: 100 },
});

async function startKeyBench(
  tokens: (count: number, request: RecordedRequest) => ScriptedAnswer = token,
  api: (count: number) => ScriptedAnswer = () => ({ body: policyPage([]) }),
  more: Partial<ClientCredentials & ConnectOptions> = {},
) {
  const asked: RecordedRequest[] = [];
  const called: RecordedRequest[] = [];
  const bench = await startBench((request) =>
    request.path.includes('/oauth/') ? tokens(asked.push(request), request) : api(called.push(request)),
  );
  const credentials = { clientId: 'client-1', privateKey: keys.pkcs8, authUrl: bench.server.url, ...more };
  return { ...bench, options: { ...bench.options, credentials, ...more } as ConnectOptions, asked, called };
}

const formOf = ({ body }: RecordedRequest) => new URLSearchParams(body);
const assertionOf = (request: RecordedRequest) => formOf(request).get('client_assertion') ?? '';

async function claimsOf(request: RecordedRequest): Promise<JWTPayload> {
  return (await jwtVerify(assertionOf(request), keys.publicKey, { currentDate: new Date(0) })).payload;
}

describe('an assertion', () => {
  test('is sent instead of the secret, with the claims of RFC 7523', async () => {
    await using bench = await startKeyBench();
    await reading(bench.options, list);
    const [request] = bench.asked;
    if (request === undefined) expect.fail('no token was requested');
    const { client_assertion, ...form } = Object.fromEntries(formOf(request));
    expect(form).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      audience: `${bench.server.baseUrl}/`,
    });
    expect(decodeProtectedHeader(client_assertion ?? '')).toEqual({ alg: 'RS256', typ: 'JWT' });
    const now = Math.floor(bench.clock.now() / 1000);
    expect(await claimsOf(request)).toEqual({
      iss: 'client-1',
      sub: 'client-1',
      aud: `${bench.server.url}/`,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      iat: now,
      exp: now + 120,
    });
  });

  test('names the authorization URL with one slash at its end', async () => {
    await using bench = await startKeyBench();
    const { credentials } = bench.options;
    for (const path of ['/auth', '/auth/']) {
      const options = { ...bench.options, credentials: { ...credentials, authUrl: bench.server.url + path } };
      await reading(options as ConnectOptions, list);
    }
    const audiences = await Promise.all(bench.asked.map(async (request) => (await claimsOf(request)).aud));
    expect(audiences).toEqual(Array(2).fill(`${bench.server.url}/auth/`));
  });

  test.each([
    ['P-256', 'ES256'],
    ['P-384', 'ES384'],
    ['P-521', 'ES512'],
  ] as const)('of a key on %s is signed by %s', async (curve, alg) => {
    const { pkcs8, publicKey } = keyPair(curve);
    await using bench = await startKeyBench(token, undefined, { privateKey: pkcs8 });
    await reading(bench.options, list);
    const [assertion = ''] = bench.asked.map(assertionOf);
    const { protectedHeader } = await jwtVerify(assertion, publicKey, { currentDate: new Date(0) });
    expect(protectedHeader.alg).toBe(alg);
  });
});

describe('every try signs an assertion of its own, at its own time', () => {
  const oneEach = async (asked: readonly RecordedRequest[], expected: number) => {
    const claims = await Promise.all(asked.map(claimsOf));
    expect(claims).toHaveLength(expected);
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(expected);
    return claims.map(({ iat = 0 }) => iat);
  };

  test('after a 503, later by the wait', async () => {
    await using bench = await startKeyBench((count) => (count < 3 ? { status: 503 } : token(count)));
    const start = Math.floor(bench.clock.now() / 1000);
    await reading(bench.options, list);
    const times = await oneEach(bench.asked, 3);
    const waited = bench.clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(times.at(-1)).toBe(Math.floor((start * 1000 + waited) / 1000));
  });

  test('after a broken connection', async () => {
    await using bench = await startKeyBench((count) => (count < 2 ? { fault: { type: 'reset' } } : token(count)));
    await reading(bench.options, list);
    await oneEach(bench.asked, 2);
  });

  test('after another path and another audience', async () => {
    await using bench = await startKeyBench((count, { path }) => {
      if (path.endsWith('/')) return { status: 404 };
      return count < 3 ? { status: 403, body: { error: 'access_denied' } } : token(count);
    });
    await reading(bench.options, list);
    await oneEach(bench.asked, 3);
  });

  test('after a 401 of the API, and when the token expires', async () => {
    await using bench = await startKeyBench(token, (count) =>
      count === 1 ? { status: 401 } : { body: policyPage([]) },
    );
    const start = Math.floor(bench.clock.now() / 1000);
    await reading(bench.options, async (connection) => {
      await list(connection);
      bench.clock.advance(60_000);
      await list(connection);
    });
    expect(await oneEach(bench.asked, 3)).toEqual([start, start, start + 60]);
  });
});

describe('the key is a secret', () => {
  test('it and each assertion are announced, and no event has them', async () => {
    const secrets: string[] = [];
    await using bench = await startKeyBench((count) => (count < 2 ? { status: 503 } : token(count)), undefined, {
      onSecret: (secret: string) => secrets.push(secret),
      debug: true,
    });
    await reading(bench.options, list);
    const assertions = bench.asked.map(assertionOf);
    const signatures = assertions.map((assertion) => assertion.split('.')[2]);
    expect(secrets).toEqual(expect.arrayContaining([keys.pkcs8, ...assertions, ...signatures]));
    expect(bench.events).toContainEqual({ type: 'authentication', method: 'private key JWT (RS256)' });
    const shown = JSON.stringify(bench.events);
    for (const text of [...assertions, ...keys.pkcs8.split('\n').slice(1, 5)]) expect(shown).not.toContain(text);
  });

  test('a service that repeats the assertion is not quoted', async () => {
    await using bench = await startKeyBench((_count, request) => ({
      status: 401,
      body: { error: 'access_denied', error_description: `no ${assertionOf(request)}` },
    }));
    const { message } = await reading(bench.options, (connection) => diagnosticOf(list(connection)));
    expect(message).toContain('refused the client: status 401: access_denied');
    expect(message).not.toContain('eyJ');
  });

  test('nor is an API that repeats it later', async () => {
    let assertion = '';
    await using bench = await startKeyBench(
      (count, request) => {
        assertion = assertionOf(request);
        return token(count);
      },
      () => ({ status: 400, body: { statusCode: 400, error: 'Bad Request', message: `no ${assertion}` } }),
    );
    const result = JSON.stringify(await reading(bench.options, list).catch((error: Error) => error.message));
    expect(result).not.toContain(assertion.slice(0, 20));
    expect(result).not.toContain(assertion.slice(-20));
  });
});
