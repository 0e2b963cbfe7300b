import type { Seed } from '../../src/model/seed.generated.ts';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { buildPermission } from '../support/build-permission.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';

const secret = testClient.client_secret;
export const longestId = 'rlp_2222222222222222222222';
export const longestSelector = `client_id:${'x'.repeat(245)}`;

/** 121 policies, 121 streams, two roles: enough for pages of every size. */
export const contractSeed: Seed = {
  clients: [
    testClient,
    { client_id: 'no-scopes', client_secret: secret, scopes: [] },
    { client_id: 'local', client_secret: secret, scopes: allScopes, global: false },
    ...allScopes.map((scope) => ({
      client_id: `without ${scope}`,
      client_secret: secret,
      scopes: allScopes.filter((other) => other !== scope),
    })),
  ],
  rate_limit_policies: [
    ...Array.from({ length: 116 }, (_unused, index) =>
      policy(`rlp_1${number(index)}`, `client_id:app-${number(index)}`, { action: 'block', limit: index }),
    ),
    {
      ...policy(longestId, 'default', { action: 'allow' }),
      created_at: '2026-07-06T10:34:38.268912Z',
      updated_at: '2026-07-06T10:34:38.268912Z',
    },
    policy('rlp_3third', 'third_party_clients', { action: 'log', limit: 10000 }),
    policy('rlp_4cimd', 'cimd_clients', { action: 'redirect', limit: 0, redirect_uri: 'https://acme.example/slow' }),
    policy('rlp_5uri', 'client_id:https://app.example/cimd.json', { action: 'block', limit: 5 }),
    policy('rlp_6long', longestSelector, { action: 'block', limit: 5 }),
  ],
  event_streams: Array.from({ length: 121 }, (_unused, index) => ({
    id: `est_${number(index)}`,
    name: `stream-${number(index)}`,
    subscriptions: [{ event_type: 'user.created' }],
    destination: {
      type: 'webhook',
      configuration: {
        webhook_endpoint: 'https://crm.example/hook',
        webhook_authorization: { method: 'basic', username: 'crm' },
      },
    },
  })),
  roles: [
    {
      id: 'rol_support',
      name: 'Support',
      permissions: [buildPermission('read:orders'), buildPermission('delete:orders')],
    },
    { id: 'rol_unused', name: 'Empty' },
  ],
  prompts: {
    login: { partials: { login: { 'form-content-start': '<p>old</p>', 'form-content-end': '<p>gone</p>' } } },
  },
};

function policy(id: string, consumer_selector: string, configuration: LivePolicy['configuration']): LivePolicy {
  return buildLivePolicy({ id, consumer_selector, configuration });
}

function number(index: number): string {
  return String(index).padStart(3, '0');
}
