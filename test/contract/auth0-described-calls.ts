// The calls of kinds that are described as data: applications, their grants, connections, and attack protection.
import { expect } from 'vitest';
import type { Auth0Call } from './auth0-calls.ts';
import { credential, database, orders, shop } from './auth0-seed.ts';

type Row = readonly [
  operation: string,
  method: string,
  path: string,
  status: number,
  call: Auth0Call['call'],
  returns: unknown,
  sent?: object,
];

function callOf([operation, method, path, status, call, returns, body]: Row): Auth0Call {
  const [place = '', query] = path.split('?');
  const request = { method, path: `/api/v2${place}`, query: query === undefined ? '' : `?${query}`, status };
  return { operation, call, request: { ...request, ...(body !== undefined && { body }) }, returns };
}

const pageOf = async (page: Promise<{ readonly response: unknown }>) => (await page).response;
const like = (fields: object): unknown => expect.objectContaining(fields);

const newClient = { name: 'New', app_type: 'spa', callbacks: ['https://new.example/callback'] } as const;
const pem = '-----BEGIN PUBLIC KEY-----\n(invented)\n-----END PUBLIC KEY-----';
const newCredential = { name: '2027', credential_type: 'public_key', pem } as const;
const ofShop = `/clients/${shop.client_id}/credentials`;
const expiry = '2027-01-31T00:00:00.000Z';
const newGrant = { client_id: shop.client_id, audience: 'urn:billing', scope: [] };
const newConnection = {
  name: 'partner',
  strategy: 'oidc',
  options: { client_id: 'at-provider', client_secret: 'x' },
} as const;
const admin = { client_id: 'test-client', status: true };

const rows: readonly Row[] = [
  [
    'list_clients',
    'GET',
    '/clients?page=0&per_page=50&include_totals=true',
    200,
    (client) => pageOf(client.clients.list()),
    like({ start: 0, limit: 50 }),
  ],
  [
    'create_client',
    'POST',
    '/clients',
    201,
    (client) => client.clients.create({ ...newClient, callbacks: [...newClient.callbacks] }),
    like({ ...newClient, client_id: expect.stringMatching(/^\w{32}$/) }),
    newClient,
  ],
  [
    'update_client',
    'PATCH',
    `/clients/${shop.client_id}`,
    200,
    (client) => client.clients.update(shop.client_id, { description: 'Sells' }),
    like({ ...shop, description: 'Sells' }),
    { description: 'Sells' },
  ],
  [
    'list_client_credentials',
    'GET',
    ofShop,
    200,
    (client) => client.clients.credentials.list(shop.client_id),
    [credential],
  ],
  [
    'create_client_credential',
    'POST',
    ofShop,
    201,
    (client) => client.clients.credentials.create(shop.client_id, newCredential),
    like({ name: '2027', credential_type: 'public_key', id: expect.stringMatching(/^cred_\w{22}$/) }),
    newCredential,
  ],
  [
    'update_client_credential',
    'PATCH',
    `${ofShop}/${credential.id}`,
    200,
    (client) => client.clients.credentials.update(shop.client_id, credential.id, { expires_at: expiry }),
    like({ ...credential, expires_at: expiry }),
    { expires_at: expiry },
  ],
  [
    'delete_client_credential',
    'DELETE',
    `${ofShop}/${credential.id}`,
    204,
    (client) => client.clients.credentials.delete(shop.client_id, credential.id),
    undefined,
  ],
  ['delete_client', 'DELETE', '/clients/local', 204, (client) => client.clients.delete('local'), undefined],

  [
    'list_client_grants',
    'GET',
    `/client-grants?include_totals=true&take=50&client_id=${shop.client_id}`,
    200,
    (client) => pageOf(client.clientGrants.list({ client_id: shop.client_id })),
    { client_grants: [like({ id: 'cgr_1' })] },
  ],
  [
    'get_client_grant',
    'GET',
    '/client-grants/cgr_1',
    200,
    (client) => client.clientGrants.get('cgr_1'),
    like({ id: 'cgr_1', audience: orders.identifier, scope: ['read:orders'] }),
  ],
  [
    'create_client_grant',
    'POST',
    '/client-grants',
    201,
    (client) => client.clientGrants.create(newGrant),
    like({ ...newGrant, id: expect.stringMatching(/^cgr_/) }),
    newGrant,
  ],
  [
    'update_client_grant',
    'PATCH',
    '/client-grants/cgr_1',
    200,
    (client) => client.clientGrants.update('cgr_1', { scope: ['write:orders'] }),
    like({ scope: ['write:orders'] }),
    { scope: ['write:orders'] },
  ],
  [
    'delete_client_grant',
    'DELETE',
    '/client-grants/cgr_1',
    204,
    (client) => client.clientGrants.delete('cgr_1'),
    undefined,
  ],

  [
    'list_connections',
    'GET',
    '/connections?include_totals=true&take=50&strategy=auth0',
    200,
    (client) => pageOf(client.connections.list({ strategy: ['auth0'] })),
    { connections: [like({ id: database.id, name: database.name })] },
  ],
  [
    'get_connection',
    'GET',
    `/connections/${database.id}`,
    200,
    (client) => client.connections.get(database.id),
    like({ id: database.id, strategy: 'auth0' }),
  ],
  [
    'create_connection',
    'POST',
    '/connections',
    201,
    (client) => client.connections.create(newConnection),
    like({ id: expect.stringMatching(/^con_/), name: 'partner', display_name: 'partner' }),
    newConnection,
  ],
  [
    'update_connection',
    'PATCH',
    `/connections/${database.id}`,
    200,
    (client) => client.connections.update(database.id, { options: { disable_signup: true } }),
    like({ options: like({ disable_signup: true }) }),
    { options: { disable_signup: true } },
  ],
  [
    'list_enabled_clients',
    'GET',
    `/connections/${database.id}/clients?take=50`,
    200,
    (client) => pageOf(client.connections.clients.get(database.id)),
    { clients: [{ client_id: shop.client_id }] },
  ],
  [
    'add_enabled_clients',
    'PATCH',
    `/connections/${database.id}/clients`,
    204,
    (client) => client.connections.clients.update(database.id, [admin]),
    undefined,
    [admin],
  ],
  [
    'delete_connection',
    'DELETE',
    `/connections/${database.id}`,
    202,
    (client) => client.connections.delete(database.id),
    undefined,
  ],

  [
    'get_brute_force_protection',
    'GET',
    '/attack-protection/brute-force-protection',
    200,
    (client) => client.attackProtection.bruteForceProtection.get(),
    like({ enabled: true }),
  ],
  [
    'update_brute_force_protection',
    'PATCH',
    '/attack-protection/brute-force-protection',
    200,
    (client) => client.attackProtection.bruteForceProtection.update({ max_attempts: 5 }),
    like({ max_attempts: 5 }),
    { max_attempts: 5 },
  ],
  [
    'get_suspicious_ip_throttling',
    'GET',
    '/attack-protection/suspicious-ip-throttling',
    200,
    (client) => client.attackProtection.suspiciousIpThrottling.get(),
    like({ enabled: true }),
  ],
  [
    'update_suspicious_ip_throttling',
    'PATCH',
    '/attack-protection/suspicious-ip-throttling',
    200,
    (client) => client.attackProtection.suspiciousIpThrottling.update({ enabled: false }),
    like({ enabled: false }),
    { enabled: false },
  ],
  [
    'get_breached_password_detection',
    'GET',
    '/attack-protection/breached-password-detection',
    200,
    (client) => client.attackProtection.breachedPasswordDetection.get(),
    like({ enabled: false }),
  ],
  [
    'update_breached_password_detection',
    'PATCH',
    '/attack-protection/breached-password-detection',
    200,
    (client) => client.attackProtection.breachedPasswordDetection.update({ enabled: true }),
    like({ enabled: true }),
    { enabled: true },
  ],
  [
    'get_bot_detection',
    'GET',
    '/attack-protection/bot-detection',
    200,
    (client) => client.attackProtection.botDetection.get(),
    like({ bot_detection_level: 'medium' }),
  ],
  [
    'update_bot_detection',
    'PATCH',
    '/attack-protection/bot-detection',
    200,
    (client) => client.attackProtection.botDetection.update({ bot_detection_level: 'high' }),
    like({ bot_detection_level: 'high' }),
    { bot_detection_level: 'high' },
  ],
  [
    'get_captcha',
    'GET',
    '/attack-protection/captcha',
    200,
    (client) => client.attackProtection.captcha.get(),
    like({ active_provider_id: expect.any(String) }),
  ],
  [
    'update_captcha',
    'PATCH',
    '/attack-protection/captcha',
    200,
    (client) => client.attackProtection.captcha.update({ active_provider_id: 'simple_captcha' }),
    like({ active_provider_id: 'simple_captcha' }),
    { active_provider_id: 'simple_captcha' },
  ],
  [
    'get_phone_provider_protection',
    'GET',
    '/attack-protection/phone-provider-protection',
    200,
    (client) => client.attackProtection.phoneProviderProtection.get(),
    like({ type: expect.any(String) }),
  ],
  [
    'update_phone_provider_protection',
    'PATCH',
    '/attack-protection/phone-provider-protection',
    200,
    (client) => client.attackProtection.phoneProviderProtection.patch({ type: 'exponential' }),
    like({ type: 'exponential' }),
    { type: 'exponential' },
  ],
];

export const describedCalls: readonly Auth0Call[] = rows.map(callOf);
