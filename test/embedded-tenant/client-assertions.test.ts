// Clients that authenticate with a key: what the token endpoint accepts, and what it refuses.
import { createHmac, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { startFakeClock } from '../support/fake-clock.ts';
import { keyPair } from '../support/key-pairs.ts';
import { allScopes, openTenant, testClient } from '../support/start-tenant.ts';

const own = keyPair();
const next = keyPair();
const foreign = keyPair();
const curve = keyPair('P-256');

const clients = [
  { client_id: 'keyed', public_keys: [next.spki, own.spki], scopes: allScopes },
  { client_id: 'other', public_keys: [own.spki], scopes: [] },
  { client_id: 'curve', public_keys: [curve.spki], scopes: [] },
  testClient,
];
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

async function openKeyed() {
  const clock = startFakeClock();
  const tenant = await openTenant({ clients }, { clock });
  const now = () => Math.floor(clock.now() / 1000);
  const claims = (): JWTPayload => ({
    iss: 'keyed',
    sub: 'keyed',
    aud: `${tenant.origin}/`,
    jti: crypto.randomUUID(),
    iat: now(),
    exp: now() + 120,
  });
  const send = async (form: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', audience: '/api/v2/', ...form });
    const response = await tenant.fetch(new Request(`${tenant.origin}/oauth/token`, { method: 'POST', body }));
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const present = (client_assertion: string, more = {}) =>
    send({ client_id: 'keyed', client_assertion, client_assertion_type: type, ...more });
  return { tenant, clock, now, claims, send, present };
}

type Keyed = Awaited<ReturnType<typeof openKeyed>>;

const sign = (claims: object, key: KeyObject = own.privateKey, alg = 'RS256') =>
  new SignJWT(claims as JWTPayload).setProtectedHeader({ alg }).sign(key);

const refused = { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } };

describe('an assertion is accepted', () => {
  test('and the token works', async () => {
    const { tenant, claims, present } = await openKeyed();
    const { status, body } = await present(await sign(claims()));
    expect(status).toBe(200);
    const headers = { Authorization: `Bearer ${body['access_token']}` };
    expect((await tenant.fetch(new Request(`${tenant.baseUrl}/roles`, { headers }))).status).toBe(200);
  });

  test.each<[string, (keyed: Keyed) => Promise<string>]>([
    ['of another registered key', ({ claims }) => sign(claims(), next.privateKey)],
    ['for the other names of the tenant', ({ claims }) => sign({ ...claims(), aud: 'http://localhost/' })],
    ['without iat', ({ claims }) => sign({ ...claims(), iat: undefined })],
    ['of five minutes', ({ claims, now }) => sign({ ...claims(), exp: now() + 300 })],
    ['of a clock that is ten seconds ahead', ({ claims, now }) => sign({ ...claims(), iat: now() + 10 })],
  ])('%s', async (_name, assertion) => {
    const keyed = await openKeyed();
    expect(await keyed.present(await assertion(keyed))).toMatchObject({ status: 200 });
  });

  test('by the algorithm of an EC key', async () => {
    const { claims, present } = await openKeyed();
    const assertion = await sign({ ...claims(), iss: 'curve', sub: 'curve' }, curve.privateKey, 'ES256');
    expect(await present(assertion, { client_id: 'curve' })).toMatchObject({ status: 200 });
  });

  test('in JSON', async () => {
    const { tenant, claims } = await openKeyed();
    const request = {
      grant_type: 'client_credentials',
      client_id: 'keyed',
      client_assertion: await sign(claims()),
      client_assertion_type: type,
      audience: '/api/v2/',
    };
    const init = { method: 'POST', body: JSON.stringify(request), headers: { 'Content-Type': 'application/json' } };
    expect((await tenant.fetch(new Request(`${tenant.origin}/oauth/token`, init))).status).toBe(200);
  });
});

describe('an assertion is refused like a wrong secret', () => {
  const hmac = (claims: JWTPayload, secret: string | Buffer) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const without = (claims: JWTPayload, name: string) => ({ ...claims, [name]: undefined });

  test.each<[string, (keyed: Keyed) => Promise<string> | string]>([
    ['signed by another key', ({ claims }) => sign(claims(), foreign.privateKey)],
    ['signed by an EC key', ({ claims }) => sign(claims(), curve.privateKey, 'ES256')],
    ['signed by another algorithm of the key', ({ claims }) => sign(claims(), own.privateKey, 'RS384')],
    ['with PSS', ({ claims }) => sign(claims(), own.privateKey, 'PS256')],
    ['not signed', ({ claims }) => new UnsecuredJWT(claims()).encode()],
    ['with the public key as a secret', ({ claims }) => hmac(claims(), own.spki)],
    ['with the bytes of the public key as a secret', ({ claims }) => hmac(claims(), spkiBytes())],
    ['changed', async ({ claims }) => (await sign(claims())).replace(/\.[^.]+\./, `.${payload(claims())}.`)],
    ['no JSON Web Token', () => 'x'],
    ['too long', ({ claims }) => sign({ ...claims(), note: 'x'.repeat(9_000) })],
    ['of another issuer', ({ claims }) => sign({ ...claims(), iss: 'other' })],
    ['of another subject', ({ claims }) => sign({ ...claims(), sub: 'other' })],
    ['for another audience', ({ claims }) => sign({ ...claims(), aud: 'https://other.example/' })],
    ['for the API', ({ claims, tenant }) => sign({ ...claims(), aud: `${tenant.baseUrl}/` })],
    ['for several audiences', ({ claims, tenant }) => sign({ ...claims(), aud: [`${tenant.origin}/`, 'urn:other'] })],
    ['for a list of one', ({ claims, tenant }) => sign({ ...claims(), aud: [`${tenant.origin}/`] })],
    ['expired', ({ claims, now }) => sign({ ...claims(), iat: now() - 120, exp: now() })],
    ['longer than five minutes', ({ claims, now }) => sign({ ...claims(), exp: now() + 301 })],
    ['far in the future', ({ claims, now }) => sign({ ...claims(), iat: now() + 11, exp: now() + 60 })],
    ['without iat and too long', ({ claims, now }) => sign({ ...claims(), iat: undefined, exp: now() + 301 })],
    ['not valid yet', ({ claims, now }) => sign({ ...claims(), nbf: now() + 60 })],
    ['of an endless time', ({ claims }) => sign({ ...claims(), exp: 1e300 })],
    ['with an empty jti', ({ claims }) => sign({ ...claims(), jti: '' })],
    ['with a long jti', ({ claims }) => sign({ ...claims(), jti: 'x'.repeat(65) })],
    ['with a jti that is no text', ({ claims }) => sign({ ...claims(), jti: 7 as unknown as string })],
    ...['iss', 'sub', 'aud', 'exp', 'jti'].map((name): [string, (keyed: Keyed) => Promise<string>] => [
      `without ${name}`,
      ({ claims }) => sign(without(claims(), name)),
    ]),
  ])('%s', async (_name, assertion) => {
    const keyed = await openKeyed();
    expect(await keyed.present(await assertion(keyed))).toEqual(refused);
  });

  const spkiBytes = () => own.publicKey.export({ type: 'spki', format: 'der' });
  const payload = (claims: JWTPayload) => Buffer.from(JSON.stringify(claims)).toString('base64url');

  test('when it is used again, also at the same time, and by another client id', async () => {
    const { claims, present, send } = await openKeyed();
    const assertion = await sign(claims());
    const both = await Promise.all([present(assertion), present(assertion)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await present(assertion)).toEqual(refused);
    expect(await present(assertion, { client_id: 'other' })).toEqual(refused);
    expect(await send({ client_id: 'test-client', client_assertion: assertion, client_assertion_type: type })).toEqual(
      refused,
    );
  });

  test('when it was used and is expired; its jti may be used in a new one then', async () => {
    const { claims, present, clock, now } = await openKeyed();
    const used = claims();
    const assertion = await sign(used);
    expect((await present(assertion)).status).toBe(200);
    expect(await present(await sign({ ...used, exp: now() + 121 }))).toEqual(refused);
    clock.advance(120_000);
    expect(await present(assertion)).toEqual(refused);
    expect((await present(await sign({ ...claims(), jti: used.jti }))).status).toBe(200);
  });

  test('a jti belongs to its client', async () => {
    const { claims, present } = await openKeyed();
    const used = claims();
    expect((await present(await sign(used))).status).toBe(200);
    const assertion = await sign({ ...used, iss: 'other', sub: 'other' });
    expect((await present(assertion, { client_id: 'other' })).status).toBe(200);
  });

  test('of a client that has a secret, and a secret of one that has keys', async () => {
    const { claims, present, send } = await openKeyed();
    const { client_id, client_secret } = testClient;
    expect(await present(await sign({ ...claims(), iss: client_id, sub: client_id }), { client_id })).toEqual(refused);
    expect(await send({ client_id: 'keyed', client_secret })).toEqual(refused);
    expect(await send({ client_id: 'keyed', client_secret: 'undefined' })).toEqual(refused);
  });
});

describe('a request that is not well-formed', () => {
  const invalid = (error_description: string) => ({
    status: 400,
    body: { error: 'invalid_request', error_description },
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['no way to authenticate', {}, 'Missing or invalid parameter: client_secret'],
    ['no type', { client_assertion: 'x' }, 'Missing or invalid parameter: client_assertion_type'],
    ['no assertion', { client_assertion_type: type }, 'Missing or invalid parameter: client_assertion'],
    [
      'an empty assertion',
      { client_assertion: '', client_secret: 'x' },
      'Missing or invalid parameter: client_assertion',
    ],
    ['another type', { client_assertion: 'x', client_assertion_type: 'jwt' }, `client_assertion_type must be ${type}`],
    [
      'two ways',
      { client_assertion: 'x', client_assertion_type: type, client_secret: 'x' },
      'client_secret and client_assertion cannot be sent together',
    ],
  ])('%s', async (_name, form, why) => {
    const { send } = await openKeyed();
    expect(await send({ client_id: 'keyed', ...form })).toEqual(invalid(why));
  });
});

describe('a seed is refused', () => {
  test.each<[string, object, string]>([
    ['without a way to authenticate', {}, '/clients/0: Expected either client_secret or public_keys'],
    [
      'with both ways',
      { client_secret: 'x', public_keys: [own.spki] },
      '/clients/0: Expected either client_secret or public_keys',
    ],
    ['with a private key', { public_keys: [own.pkcs8] }, '/clients/0/public_keys/0: Unusable key: it is a private key'],
    ['with no key', { public_keys: ['x'] }, '/clients/0/public_keys/0: Unusable key: it is no complete PEM'],
    ['with an empty list', { public_keys: [] }, '/clients/0/public_keys'],
  ])('%s', async (_name, more, message) => {
    const opened = openTenant({ clients: [{ client_id: 'a', scopes: [], ...more }] });
    await expect(opened).rejects.toMatchObject({ message: expect.stringContaining(message) as string });
    expect(await opened.catch((error: Error) => error.message)).not.toContain(own.pkcs8.split('\n')[1]);
  });
});
