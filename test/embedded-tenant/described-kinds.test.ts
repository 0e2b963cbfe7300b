// What the embedded tenant does for described kinds beyond one write: pages, order, secrets, cascades, slow deletes and tokens.
import { describe, expect, test } from 'vitest';
import { knownScopes } from '../../src/contract/known-words.ts';
import { authorizedRequest, openTenant, testClient } from '../support/start-tenant.ts';

const everything = { ...testClient, scopes: [...knownScopes] };
const shop = { client_id: 'shop', name: 'Web shop', client_secret: 'planted-secret-of-shop', grant_types: [] };
const orders = { identifier: 'https://orders.example/', scopes: [{ value: 'read:orders' }] };

async function open(seed: object = {}, clients: readonly object[] = [everything, shop]) {
  const tenant = await openTenant({}, { seed: { clients, ...seed } });
  const send = async (method: string, path: string, body?: object) => {
    const response = await tenant.fetch(await authorizedRequest(tenant, method, path, body));
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  return { tenant, send };
}

describe('lists', () => {
  test('a key that is no filter is refused, and selects nothing', async () => {
    const { send } = await open();
    expect(await send('GET', '/client-grants?scope=x')).toMatchObject({
      status: 400,
      body: { message: "Query validation error: 'Additional properties not allowed: scope'." },
    });
  });

  test('filters combine, and absent values count as what they mean', async () => {
    const grant = { client_id: 'shop', audience: orders.identifier, scope: [] };
    const client_grants = [
      { id: 'cgr_1', ...grant },
      { id: 'cgr_2', ...grant, subject_type: 'user' },
      { id: 'cgr_3', ...grant, audience: 'other' },
    ];
    const { send } = await open({ client_grants });
    const ids = async (query: string) =>
      (await send('GET', `/client-grants?${query}`)).body.client_grants.map(({ id }: { id: string }) => id);
    expect(await ids(`client_id=shop&audience=${encodeURIComponent(orders.identifier)}`)).toEqual(['cgr_1', 'cgr_2']);
    expect(await ids('client_id=shop&subject_type=client')).toEqual(['cgr_1', 'cgr_3']);
    expect(await ids('client_id=shop&allow_any_organization=false&take=100')).toEqual(['cgr_1', 'cgr_2', 'cgr_3']);
  });

  test('clients have numbered pages, in the order of their creation', async () => {
    const { send } = await open();
    const { body } = await send('POST', '/clients', { name: 'New' });
    const page = await send('GET', '/clients?page=1&per_page=2&include_totals=true');
    expect(page.body).toMatchObject({ start: 2, limit: 2, total: 3, clients: [{ client_id: body.client_id }] });
    expect((await send('GET', '/clients?app_type=spa')).body).toEqual([]);
  });

  test('lists without an order have another one in each response', async () => {
    const callbacks = ['https://a.example/', 'https://b.example/'];
    const { send } = await open({}, [everything, { ...shop, callbacks }]);
    const first = (await send('GET', '/clients/shop')).body.callbacks;
    expect((await send('GET', '/clients/shop')).body.callbacks).toEqual(first.toReversed());
  });
});

describe('attack protection', () => {
  test('a tenant without the feature refuses bot detection and captcha, and nothing else', async () => {
    const { send } = await open({ attack_protection: { bot_detection: null, captcha: null } });
    const refused = { status: 403, body: { errorCode: 'insufficient_entitlement' } };
    expect(await send('GET', '/attack-protection/captcha')).toMatchObject(refused);
    expect(await send('PATCH', '/attack-protection/bot-detection', {})).toMatchObject(refused);
    expect(await send('PATCH', '/attack-protection/brute-force-protection', { enabled: false })).toMatchObject({
      status: 200,
      body: { enabled: false, max_attempts: 10 },
    });
  });

  test('the secret of a captcha is stored, and in no response', async () => {
    const { tenant, send } = await open();
    const hcaptcha = { site_key: 'site', secret: 'planted' };
    expect(JSON.stringify(await send('PATCH', '/attack-protection/captcha', { hcaptcha }))).not.toContain('planted');
    expect(JSON.stringify(await send('GET', '/attack-protection/captcha'))).not.toContain('planted');
    expect(tenant.snapshot()['attack_protection']).toMatchObject({ captcha: { hcaptcha } });
  });
});

describe('clients', () => {
  test('secrets are returned with a scope of their own, and changed with another', async () => {
    const reader = { ...testClient, scopes: ['read:clients', 'update:clients'] };
    const { send } = await open({}, [reader, shop]);
    expect((await send('GET', '/clients/shop')).body).not.toHaveProperty('client_secret');
    expect(await send('PATCH', '/clients/shop', { client_secret: 'x' })).toMatchObject({ status: 403 });
    const { send: asOwner } = await open();
    expect((await asOwner('GET', '/clients/shop')).body).toMatchObject({ client_secret: shop.client_secret });
  });

  test('only the response to a create has private keys', async () => {
    const { send } = await open();
    const { body } = await send('POST', '/clients', { name: 'New' });
    expect(body).toMatchObject({ encrypted: true, signing_keys: [{ key: expect.any(String) }] });
    const { body: read } = await send('GET', `/clients/${body.client_id}`);
    expect(read).toMatchObject({
      client_secret: body.client_secret,
      signing_keys: [{ cert: body.signing_keys[0].cert }],
    });
    expect(JSON.stringify(read)).not.toContain(body.signing_keys[0].key);
  });

  test('a deleted client takes its grants along, and is in no connection', async () => {
    const { tenant, send } = await open({
      resource_servers: [orders],
      client_grants: [{ id: 'cgr_1', client_id: 'shop', audience: orders.identifier, scope: [] }],
      connections: [{ id: 'con_1', name: 'users', strategy: 'auth0', enabled_clients: [{ client_id: 'shop' }] }],
    });
    expect(await send('DELETE', '/clients/shop')).toEqual({ status: 204, body: null });
    expect((await send('GET', '/client-grants/cgr_1')).status).toBe(404);
    expect((await send('GET', '/connections/con_1/clients')).body).toEqual({ clients: [] });
    expect(tenant.snapshot()['connections']).toMatchObject([{ enabled_clients: [] }]);
  });

  test.each([
    [{ grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' }, 400],
    [{ is_first_party: false, organization_usage: 'allow' }, 403],
    [{ is_token_endpoint_ip_header_trusted: true }, 400],
  ])('what excludes each other is refused: %j', async (fields, status) => {
    const { send } = await open();
    expect(await send('POST', '/clients', { name: 'New', ...fields })).toMatchObject({ status });
  });
});

describe('connections', () => {
  const users = { id: 'con_1', name: 'users', strategy: 'auth0', enabled_clients: [{ client_id: 'shop' }] };

  test('a delete is only accepted: until the connection is gone, it is there, and its name is taken', async () => {
    const { tenant, send } = await open({ connections: [users] });
    const accepted = { status: 202, body: { deleted_at: expect.any(String) } };
    expect(await send('DELETE', '/connections/con_1')).toEqual(accepted);
    expect(tenant.snapshot()['connections']).toEqual([]);
    expect((await send('GET', '/connections/con_1')).status).toBe(200);
    expect(await send('POST', '/connections', { name: 'users', strategy: 'auth0' })).toMatchObject({
      status: 409,
      body: { message: 'A connection with the same name is being deleted, try again later' },
    });
    expect(await send('DELETE', '/connections/con_1')).toEqual(accepted);
    expect((await send('GET', '/connections/con_1')).status).toBe(404);
    expect(await send('DELETE', '/connections/con_1')).toEqual({ status: 204, body: null });
  });

  test('one change adds clients, removes others, and leaves the rest; an unknown one changes nothing', async () => {
    const { send } = await open({ connections: [users] });
    const change = (...clients: readonly (readonly [string, boolean])[]) =>
      send(
        'PATCH',
        '/connections/con_1/clients',
        clients.map(([client_id, status]) => ({ client_id, status })),
      );
    expect(await change(['shop', false], ['test-client', true])).toEqual({ status: 204, body: null });
    expect((await send('GET', '/connections/con_1/clients?take=1')).body).toEqual({
      clients: [{ client_id: 'test-client' }],
    });
    expect(await change(['shop', true], ['nobody', true])).toMatchObject({ status: 404 });
    expect((await send('GET', '/connections/con_1')).body.enabled_clients).toEqual(['test-client']);
    expect(await change(...Array.from({ length: 51 }, () => ['shop', true] as const))).toMatchObject({ status: 400 });
  });

  test('values of the configuration are another ciphertext after every write', async () => {
    const options = { configuration: { url: 'planted' } };
    const { send } = await open({ connections: [{ ...users, options }] });
    const read = async () => (await send('GET', '/connections/con_1')).body.options.configuration.url;
    const first = await read();
    expect(await read()).toBe(first);
    await send('PATCH', '/connections/con_1', { is_domain_connection: true });
    expect(new Set(['planted', first, await read()]).size).toBe(3);
  });
});

describe('tokens follow from clients and grants', () => {
  const askedBy = async (tenant: Awaited<ReturnType<typeof open>>['tenant'], client: typeof testClient) => {
    const form = {
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
      audience: `${tenant.baseUrl}/`,
    };
    const body = new URLSearchParams(form);
    const response = await tenant.fetch(new Request(`${tenant.origin}/oauth/token`, { method: 'POST', body }));
    return { ...((await response.json()) as object), status: response.status };
  };
  const job = { client_id: 'job', client_secret: 'planted-secret-of-job', scopes: ['read:roles'] };

  test('the short form of a seed is a client and a grant, and a snapshot has it again', async () => {
    const { tenant, send } = await open({}, [everything, job]);
    expect(tenant.snapshot()['clients']).toEqual([everything, job]);
    expect((await send('GET', '/client-grants?client_id=job')).body.client_grants).toEqual([
      {
        id: expect.stringMatching(/^cgr_/),
        client_id: 'job',
        audience: `${tenant.baseUrl}/`,
        subject_type: 'client',
        scope: job.scopes,
      },
    ]);
    expect(await askedBy(tenant, job)).toMatchObject({ status: 200, scope: 'read:roles' });
  });

  test('another scope in the grant is another scope in the next token; without a grant, there is none', async () => {
    const { tenant, send } = await open({}, [everything, job]);
    const [grant] = (await send('GET', '/client-grants?client_id=job')).body.client_grants;
    await send('PATCH', `/client-grants/${grant.id}`, { scope: ['read:clients', 'read:roles'] });
    expect(await askedBy(tenant, job)).toMatchObject({ scope: 'read:clients read:roles' });
    await send('DELETE', `/client-grants/${grant.id}`);
    expect(await askedBy(tenant, job)).toMatchObject({ status: 403, error: 'access_denied' });
    expect(tenant.snapshot()['clients']).toEqual([everything, { ...job, scopes: undefined }]);
  });

  test.each([
    ['another secret', { client_secret: 'another-secret' }, 401],
    ['no secret', { token_endpoint_auth_method: 'none', grant_types: ['implicit'] }, 401],
    ['another grant type', { grant_types: ['implicit'] }, 403],
    ['another name', { name: 'Renamed' }, 200],
  ])('a client with %s', async (_name, body, status) => {
    const { tenant, send } = await open({}, [everything, job]);
    expect(await send('PATCH', '/clients/job', body)).toMatchObject({ status: 200 });
    expect(await askedBy(tenant, job)).toMatchObject({ status });
  });

  test('a token of a deleted client is refused', async () => {
    const { tenant, send } = await open({}, [everything, job]);
    expect(await send('DELETE', `/clients/${everything.client_id}`)).toEqual({ status: 204, body: null });
    expect((await askedBy(tenant, everything)).status).toBe(401);
  });

  test('a client and a grant that are created get a token', async () => {
    const { tenant, send } = await open();
    const { body } = await send('POST', '/clients', { name: 'Created' });
    expect(await askedBy(tenant, body)).toMatchObject({ status: 403 });
    const grant = { client_id: body.client_id, audience: `${tenant.baseUrl}/`, scope: ['read:roles'] };
    expect(await send('POST', '/client-grants', grant)).toMatchObject({ status: 201, body: grant });
    expect(await askedBy(tenant, body)).toMatchObject({ status: 200, scope: 'read:roles' });
    const restarted = await openTenant({}, { seed: tenant.snapshot() });
    expect(await askedBy(restarted, body)).toMatchObject({ status: 200, scope: 'read:roles' });
  });
});
