import type { Seed } from '../../src/model/seed.generated.ts';
import { testClient } from '../support/start-tenant.ts';

const orders = 'https://orders.acme.example/';
const pair = (permission_name: string) => ({ resource_server_identifier: orders, permission_name });
const times = { created_at: '2026-07-06T10:00:00.000000Z', updated_at: '2026-07-06T10:00:00.000000Z' };
const policy = { resource: 'oauth_authentication_api', consumer: 'client', ...times } as const;
const hook = 'https://crm.acme.example/hook';

/**
 * What auth0-deploy-cli exports: a few items of each kind. Its import drops the line end at the end of a text, so these have
 * none.
 */
export const exportedTenant: Seed = {
  clients: [testClient],
  rate_limit_policies: [
    { ...policy, id: 'rlp_1', consumer_selector: 'default', configuration: { action: 'block', limit: 100 } },
    {
      ...policy,
      id: 'rlp_2',
      consumer_selector: 'client_id:https://agents.example/client.json',
      configuration: { action: 'redirect', limit: 5, redirect_uri: 'https://www.acme.example/slow' },
    },
  ],
  resource_servers: [
    {
      id: '5f0000000000000000000001',
      identifier: orders,
      name: 'Orders',
      // Every API has these, and an import sends them back.
      allow_offline_access: false,
      skip_consent_for_verifiable_first_party_clients: false,
      subject_type_authorization: { user: { policy: 'allow_all' }, client: { policy: 'require_client_grant' } },
      token_lifetime: 86_400,
      token_lifetime_for_web: 7200,
      signing_alg: 'RS256',
      token_dialect: 'access_token_authz',
      enforce_policies: true,
      scopes: [{ value: 'read:orders', description: 'Read orders' }, { value: 'refund:orders' }],
      signing_secret: 'exported-in-clear',
    },
    {
      id: '5f0000000000000000000002',
      identifier: 'https://acme.example/api/v2/',
      name: 'Auth0 Management API',
      is_system: true,
    },
  ],
  roles: [
    {
      id: 'rol_1',
      name: 'Support',
      description: 'Answers customers',
      permissions: [pair('read:orders'), pair('refund:orders')],
    },
    { id: 'rol_2', name: 'Auditor', description: '' },
  ],
  prompts: {
    'login-id': {
      partials: { 'login-id': { 'form-content-start': '<p>Hello</p>', 'form-footer-end': '<p>Bye</p>' } },
    },
  },
  event_streams: [
    {
      id: 'est_1',
      name: 'users-to-crm',
      status: 'enabled',
      subscriptions: [{ event_type: 'user.created' }, { event_type: 'user.deleted' }],
      destination: {
        type: 'webhook',
        configuration: { webhook_endpoint: hook, webhook_authorization: { method: 'basic', username: 'crm' } },
      },
      ...times,
    },
    {
      id: 'est_2',
      name: 'users to hr',
      status: 'disabled',
      subscriptions: [{ event_type: 'user.created' }],
      destination: {
        type: 'webhook',
        configuration: { webhook_endpoint: hook, webhook_authorization: { method: 'bearer' } },
      },
      ...times,
    },
  ],
};
