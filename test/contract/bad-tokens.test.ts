import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenedTenant, StartedTenant } from '../support/start-tenant.ts';
import { allScopes, openTenant, startTenant, testClient, testKeys } from '../support/start-tenant.ts';
import { badTokens, claims, signed } from './bad-tokens.ts';
import { contractSeed } from './contract-seed.ts';
import { validRequests } from './requests.ts';

let opened: OpenedTenant;
let started: StartedTenant;

beforeAll(async () => {
  opened = await openTenant(contractSeed);
  started = await startTenant(contractSeed);
});

afterAll(async () => {
  await started.close();
});

describe('service specification 5 and 7: an invalid token returns 401', () => {
  test('the table has at least 20 tokens', () => {
    expect(badTokens.length).toBeGreaterThanOrEqual(20);
  });

  test.each(badTokens)('$name, in process', async ({ header, message }) => {
    const send = (url: string, init: RequestInit) => opened.fetch(new Request(url, init));
    await expectRefusal(opened.origin, send, await header(await contextOf(opened)), message);
  });

  test.each(badTokens)('$name, over a socket', async ({ header, message }) => {
    await expectRefusal(started.origin, fetch, await header(await contextOf(started)), message);
  });

  test.each(validRequests)('an expired token on $name changes nothing', async (row) => {
    const tenant = await openTenant(contractSeed);
    const before = tenant.snapshot();
    const token = await signed((await testKeys()).privateKey, { ...claims(tenant.origin), exp: 1 });
    const headers = { ...row.headers, Authorization: `Bearer ${token}` };
    const body = row.body === undefined ? {} : { body: JSON.stringify(row.body) };
    const response = await tenant.fetch(
      new Request(`${tenant.origin}${row.path}`, { method: row.method, headers, ...body }),
    );
    expect(response.status).toBe(401);
    expect(tenant.snapshot()).toEqual(before);
  });

  async function contextOf(tenant: OpenedTenant | StartedTenant) {
    return { origin: tenant.origin, keys: await testKeys(), good: await tenant.token() };
  }

  async function expectRefusal(
    origin: string,
    send: (url: string, init: RequestInit) => Promise<Response>,
    header: string | null,
    message: string,
  ) {
    const headers = header === null ? {} : { Authorization: header };
    const response = await send(`${origin}/api/v2/rate-limit-policies`, { headers });
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 401,
      body: { statusCode: 401, error: 'Unauthorized', message, attributes: { error: message } },
    });
  }
});

describe('service specification 5: tokens that are issued', () => {
  test('claims and header', async () => {
    const token = await opened.token();
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'JWT' });
    const { iat, exp, ...rest } = decodeJwt(token);
    expect(rest).toEqual({
      iss: `${opened.origin}/`,
      sub: `${testClient.client_id}@clients`,
      aud: `${opened.origin}/api/v2/`,
      azp: testClient.client_id,
      gty: 'client-credentials',
      scope: allScopes.join(' '),
    });
    expect((exp ?? 0) - (iat ?? 0)).toBe(86_400);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('the audience of %s is accepted', async (name) => {
    const audience = `http://${name}:${new URL(started.origin).port}/api/v2/`;
    const form = {
      grant_type: 'client_credentials',
      client_id: testClient.client_id,
      client_secret: testClient.client_secret,
      audience,
    };
    const response = await fetch(`${started.origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await response.json()) as { access_token: string };
    expect(decodeJwt(access_token).aud).toBe(audience);
    expect(
      (await fetch(`${started.baseUrl}/event-streams`, { headers: { Authorization: `bearer ${access_token}` } }))
        .status,
    ).toBe(200);
  });

  test('a token without a scope claim has no scope', async () => {
    const { scope: _scope, ...payload } = claims(opened.origin);
    const token = await signed((await testKeys()).privateKey, payload);
    const response = await opened.fetch(
      new Request(`${opened.baseUrl}/event-streams`, { headers: { Authorization: `Bearer ${token}` } }),
    );
    expect(response.status).toBe(403);
  });

  test('a token dies when its lifetime is over, by the clock of the tenant', async () => {
    let now = Date.now();
    const clock = { now: () => now, monotonic: () => now, sleep: async () => undefined };
    const tenant = await openTenant(contractSeed, { clock, tokenLifetime: 60 });
    const request = async (token: string) =>
      (
        await tenant.fetch(
          new Request(`${tenant.baseUrl}/event-streams`, { headers: { Authorization: `Bearer ${token}` } }),
        )
      ).status;
    const token = await tenant.token();
    now += 58_000;
    expect(await request(token)).toBe(200);
    now += 3_000;
    expect(await request(token)).toBe(401);
  });

  test('a client that is taken away keeps no access', async () => {
    const tenant = await openTenant(contractSeed);
    const token = await tenant.token();
    await tenant.change((state) => {
      state.clients = [];
    });
    const response = await tenant.fetch(
      new Request(`${tenant.baseUrl}/event-streams`, { headers: { Authorization: `Bearer ${token}` } }),
    );
    expect(await response.json()).toMatchObject({ statusCode: 401, message: 'Unknown client' });
  });
});
