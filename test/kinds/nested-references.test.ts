// APIs that the refresh tokens of a client are for: references below an object and in the elements of a list.
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { planOnTenant } from '../support/plan-on-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

const orders = { identifier: 'https://orders.example/', name: 'Orders', scopes: [{ value: 'read:orders' }] };
const refresh = { rotation_type: 'rotating', expiration_type: 'expiring' };
const policies = (...apis: readonly string[]) => ({
  refresh_token: { ...refresh, policies: apis.map((audience) => ({ audience, scope: ['read:orders'] })) },
});
const absent = { state: 'absent' } as const;
const shop = { client_id: 'shop0000shop0000shop0000shop0000', name: 'Web shop', ...policies(orders.identifier) };
const seed = { clients: [testClient, shop], resource_servers: [orders] };

type Given = Omit<Parameters<typeof planOnTenant>[0], 'kinds'>;

async function planned(given: Given) {
  const plan = await planOnTenant({ kinds, ...given });
  const found = ({ findings }: Plan) => findings.filter(({ severity }) => severity === 'error');
  return {
    actions: plan.actions.map(({ action, key, needs }) => [action, key, needs]),
    errors: found(plan).map(({ code, kind, key, message }) => `${code} ${kind}/${key}: ${message}`),
    reads: plan.scopes.plan,
  };
}

test('a client comes after a new API that it names', async () => {
  const files = { resource_servers: [orders], clients: [{ name: 'Web shop', ...policies(orders.identifier) }] };
  expect((await planned({ seed: { clients: [testClient], resource_servers: [] }, files })).actions).toEqual([
    ['create', orders.identifier, []],
    ['create', 'Web shop', [`resource_servers/${orders.identifier}`]],
  ]);
});

test('an API that nobody has is an error, and the client is left out', async () => {
  const files = { clients: [{ name: 'Web shop', ...policies('https://order.example/') }] };
  expect(await planned({ seed, files })).toMatchObject({
    actions: [],
    errors: [
      'LIVE_NOT_FOUND clients/Web shop: no API on the tenant or in the files has the identifier "https://order.example/"; did you mean "https://orders.example/"?',
    ],
  });
});

test('an API that the files delete and a declared client names stays', async () => {
  const files = {
    resource_servers: [{ identifier: orders.identifier, ...absent }],
    clients: [{ name: 'Web shop', ...policies(orders.identifier) }],
  };
  const { actions, errors } = await planned({ seed, files });
  expect(actions).toEqual([]);
  expect(errors).toMatchObject([
    expect.stringMatching(/^LIVE_REFERENCED resource_servers\/\S+: not deleted, because the files have an item that/),
    expect.stringMatching(/^LIVE_REFERENCED clients\/Web shop: names the API/),
  ]);
});

test.each([
  ['after a client that names it no more', { refresh_token: { ...refresh, policies: [] } }, ['clients/Web shop']],
  ['at once, where the files do not say what the client names', { refresh_token: { ...refresh, leeway: 5 } }, []],
])('it goes %s', async (_name, more, needs) => {
  const files = {
    resource_servers: [{ identifier: orders.identifier, ...absent }],
    clients: [{ name: 'Web shop', ...more }],
  };
  expect((await planned({ seed, files })).actions).toContainEqual(['delete', orders.identifier, needs]);
});

test('APIs are read only if a client names one', async () => {
  const reads = async (client: object) =>
    (await planned({ seed, files: { clients: [{ name: 'Web shop', ...client }] } })).reads;
  expect(await reads(policies(orders.identifier))).toContain('read:resource_servers');
  expect(await reads({ description: 'a' })).not.toContain('read:resource_servers');
});

// The service knows no client any more by then, and refuses to remove it.
test('a client that is deleted is removed before from the connections that the files declare', async () => {
  const other = { client_id: 'other000other000other000other000', name: 'Other' };
  const enabled_clients = [{ client_id: shop.client_id }, { client_id: other.client_id }];
  const partner = { id: 'con_1', name: 'partner', strategy: 'oidc', options: {}, enabled_clients };
  const files = {
    clients: [{ name: 'Web shop', ...absent }],
    connections: [{ name: 'partner', strategy: 'oidc', enabled_clients: ['Other'] }],
  };
  const { actions } = await planned({
    seed: { ...seed, clients: [...seed.clients, other], connections: [partner] },
    files,
  });
  const removal = 'connections/partner#remove enabled_clients Web shop';
  expect(actions).toEqual([
    ['remove', 'partner', []],
    ['delete', 'Web shop', [removal]],
  ]);
});
