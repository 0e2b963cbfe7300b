import type { Management } from 'auth0';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { LiveStream } from '../../src/service/event-streams/types.generated.ts';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { buildPermission } from '../support/build-permission.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';

export const webhook = {
  type: 'webhook',
  configuration: {
    webhook_endpoint: 'https://crm.example/hook',
    webhook_authorization: { method: 'basic', username: 'crm' },
  },
} as const;

/** Three items in each listing: one page of three, two pages of two and one, or three of one. */
export const policies = [
  livePolicy('rlp_1', 'default', { action: 'block', limit: 100 }),
  livePolicy('rlp_2', 'third_party_clients', { action: 'log', limit: 10 }),
  livePolicy('rlp_3', 'cimd_clients', { action: 'allow' }),
] as const;

export const streams = [
  liveStream('est_1', 'users-to-crm'),
  liveStream('est_2', 'users-to-hr'),
  liveStream('est_3', 'users-to-lake'),
] as const;

/** In the order of the listing: by name, upper case before lower case. */
export const roles = [
  { id: 'rol_2', name: 'Admin', description: '', type: 'tenant' },
  { id: 'rol_1', name: 'Support', description: 'Answers the phone', type: 'tenant' },
  { id: 'rol_3', name: 'auditor', description: '', type: 'tenant' },
] as const;

/** The permissions of rol_1, in the order of the listing. */
export const permissions = [
  held('delete:orders', 'Delete orders'),
  held('read:orders', 'Read orders'),
  held('write:orders', ''),
] as const;

/** The users who have rol_1, in the order of the listing. */
export const users = [
  { user_id: 'auth0|1', email: 'ada@acme.example', name: 'Ada', picture: 'https://acme.example/ada.png' },
  { user_id: 'auth0|2', email: 'bob@acme.example' },
  { user_id: 'auth0|3' },
] as const;

/** The groups that have rol_1, in the order of the listing. */
export const groups = [{ id: 'grp_1', name: 'Phone' }, { id: 'grp_2' }] as const;

const defaults = {
  allow_offline_access: false,
  skip_consent_for_verifiable_first_party_clients: false,
  subject_type_authorization: { user: { policy: 'allow_all' }, client: { policy: 'require_client_grant' } },
  token_lifetime: 86_400,
  token_lifetime_for_web: 7200,
  signing_alg: 'RS256',
};

/** An API as the service returns it. */
export const orders = {
  ...defaults,
  id: '5f0000000000000000000001',
  identifier: 'https://orders.example/',
  name: 'Orders',
  scopes: [
    { value: 'read:orders', description: 'Read orders' },
    { value: 'delete:orders', description: 'Delete orders' },
    { value: 'write:orders' },
    { value: 'export:orders', description: 'Export orders' },
  ],
} as const;

/** In the order of the listing. */
export const apis = [
  orders,
  { ...defaults, id: '5f0000000000000000000002', identifier: 'urn:billing', signing_secret: 'a-signing-secret' },
  {
    ...defaults,
    id: '000000000000000000000001',
    identifier: 'https://acme.example/api/v2/',
    name: 'Management',
    is_system: true,
  },
] as const;

/** Every field that the package has for a change of an API. */
export const apiFields: Required<Management.UpdateResourceServerRequestContent> = {
  name: 'Orders of today',
  scopes: [],
  signing_alg: 'HS256',
  signing_secret: 'another-signing-secret',
  skip_consent_for_verifiable_first_party_clients: true,
  allow_offline_access: true,
  allow_online_access: true,
  allow_online_access_with_ephemeral_sessions: false,
  token_lifetime: 3600,
  token_lifetime_for_anonymous_access_tokens: 60,
  token_dialect: 'rfc9068_profile_authz',
  enforce_policies: true,
  token_encryption: { format: 'compact-nested-jwe', encryption_key: { alg: 'RSA-OAEP-256', pem: 'a public key' } },
  consent_policy: 'transactional-authorization-with-mfa',
  authorization_details: [{ type: 'payment' }],
  proof_of_possession: { mechanism: 'dpop', required: true },
  subject_type_authorization: { user: { policy: 'require_client_grant' }, client: { policy: 'deny_all' } },
  authorization_policy: { policy_id: 'pol_1' },
};

export const partials = { login: { 'form-content-start': '<p>Hello</p>' } };

/** An application. */
export const shop = { client_id: 'shop0000shop0000shop0000shop0000', name: 'Web shop' } as const;

/** A key of it. */
export const credential = { id: 'cred_1', name: '2026', credential_type: 'public_key', alg: 'RS256' } as const;

/** A database of users. */
export const database = { id: 'con_users00000000000', name: 'users', strategy: 'auth0' } as const;

const secret = testClient.client_secret;

export const seed: Seed = {
  clients: [
    testClient,
    { ...shop, credentials: [credential] },
    { client_id: 'local', client_secret: secret, scopes: allScopes, global: false },
    ...allScopes.map((scope) => ({
      client_id: `without-${scope.replace(':', '-')}`,
      client_secret: secret,
      scopes: allScopes.filter((other) => other !== scope),
    })),
  ],
  resource_servers: [
    { id: orders.id, identifier: orders.identifier, name: orders.name, scopes: [...orders.scopes] },
    { id: '5f0000000000000000000002', identifier: 'urn:billing', signing_secret: 'a-signing-secret' },
    { id: '000000000000000000000001', identifier: 'https://acme.example/api/v2/', name: 'Management', is_system: true },
  ],
  client_grants: [{ id: 'cgr_1', client_id: shop.client_id, audience: orders.identifier, scope: ['read:orders'] }],
  connections: [{ ...database, enabled_clients: [{ client_id: shop.client_id }] }],
  rate_limit_policies: [...policies],
  roles: [
    {
      id: 'rol_1',
      name: 'Support',
      description: 'Answers the phone',
      permissions: [buildPermission('read:orders'), buildPermission('delete:orders'), buildPermission('write:orders')],
      users: [...users],
      groups: [...groups],
    },
    { id: 'rol_2', name: 'Admin' },
    { id: 'rol_3', name: 'auditor' },
  ],
  prompts: { login: { partials } },
  event_streams: [...streams],
};

export function held(permission_name: string, description: string) {
  return {
    permission_name,
    description,
    resource_server_name: 'Orders',
    resource_server_identifier: 'https://orders.example/',
  };
}

function livePolicy(id: string, consumer_selector: string, configuration: LivePolicy['configuration']): LivePolicy {
  const created = '2026-07-06T10:34:38.268912Z';
  return buildLivePolicy({ id, consumer_selector, configuration, created_at: created, updated_at: created });
}

function liveStream(id: string, name: string): LiveStream {
  const created = '2026-07-06T10:34:38.268Z';
  return {
    id,
    status: 'enabled',
    name,
    subscriptions: [{ event_type: 'user.created' }],
    created_at: created,
    updated_at: created,
    destination: webhook,
  };
}
