// A scope that grants name: the API gets it before them, and loses it after them.
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { planOnTenant } from '../support/plan-on-tenant.ts';
import { pullTenant } from '../support/pull-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

const audience = 'https://orders.example/';
const job = { client_id: 'job00000job00000job00000job00000', name: 'Billing job' };
const seed = {
  clients: [testClient, job],
  resource_servers: [
    { id: '5f0000000000000000000001', identifier: audience, scopes: [{ value: 'a' }, { value: 'b' }] },
  ],
  client_grants: [{ id: 'cgr_0000000000000001', client_id: job.client_id, audience, scope: ['a', 'b'] }],
};
const api = (...scopes: readonly string[]) => ({ identifier: audience, scopes: scopes.map((value) => ({ value })) });
const grant = (scope: readonly string[], to = audience) => ({ client: job.name, audience: to, scope });
const grantKey = 'client_grants/Billing job/https://orders.example//client';

async function planned(files: Parameters<typeof planOnTenant>[0]['files']) {
  const { actions, findings } = await planOnTenant({ kinds, seed, files });
  return {
    needs: Object.fromEntries(actions.map(({ id, needs }) => [id, needs])),
    errors: findings.flatMap(({ severity, kind, key, message }) =>
      severity === 'error' ? `${kind}/${key}: ${message}` : [],
    ),
  };
}

test('the union of the scopes, the grant, and then the rest of the scopes', async () => {
  const files = { resource_servers: [api('a', 'c')], client_grants: [grant(['a', 'c'])] };
  expect(await planned(files)).toEqual({
    needs: {
      [`resource_servers/${audience}#add`]: [],
      [grantKey]: [`resource_servers/${audience}#add`],
      [`resource_servers/${audience}#remove`]: [`resource_servers/${audience}#add`, grantKey],
    },
    errors: [],
  });
});

test('a scope that a grant of the files needs stays, with an error at both places', async () => {
  const files = { resource_servers: [api('a')], client_grants: [grant(['a', 'b'])] };
  expect(await planned(files)).toEqual({
    needs: {},
    errors: [
      `resource_servers/${audience}: removes nothing, because the files have an item that needs it: ${grantKey}`,
      `${grantKey}: needs scopes/b of the API "${audience}", which the files remove; keep it there, or delete it here`,
    ],
  });
});

test('an API that a grant of the files names stays, and is reported once', async () => {
  const files = {
    resource_servers: [{ identifier: audience, state: 'absent' as const }],
    client_grants: [grant(['a'])],
  };
  const { errors } = await planned(files);
  expect(errors).toEqual([
    `resource_servers/${audience}: not deleted, because the files have an item that names it: ${grantKey}`,
    `${grantKey}: names the API "${audience}", which the files delete; keep the API, or name another one`,
  ]);
});

test('a new API has the scopes of the files, and no others', async () => {
  const [name, scopes] = ['New', [{ value: 'a' }]];
  const files = (scope: string) => ({
    resource_servers: [{ identifier: 'urn:new', name, scopes }],
    client_grants: [grant([scope], 'urn:new')],
  });
  const { errors, needs } = await planned(files('a'));
  const key = 'client_grants/Billing job/urn:new/client';
  expect([errors, needs[key]]).toEqual([[], ['resource_servers/urn:new']]);
  const lacking = await planned(files('b'));
  expect(lacking.needs).not.toHaveProperty(key);
  expect(lacking.errors).toEqual([
    `${key}: the API "urn:new" does not have scopes/b, and this plan does not add it; correct it, or select the API as well`,
  ]);
});

const { scope: _scope, ...ofNone } = seed.client_grants[0] ?? {};
const grantOfAll = { ...ofNone, allow_all_scopes: true };

test('a list of scopes takes every scope that is not in it, also from a grant for all of them', async () => {
  const given = { kinds, seed: { ...seed, client_grants: [grantOfAll] } };
  const { actions } = await planOnTenant({ ...given, files: { client_grants: [grant(['a'])] } });
  expect(actions).toMatchObject([
    {
      action: 'update',
      request: { body: { allow_all_scopes: false, scope: ['a'] } },
      effects: [{ code: 'ACCESS_LOST', permissions: ['every scope'] }],
    },
  ]);
  const all = { client: job.name, audience, allow_all_scopes: true };
  expect((await planOnTenant({ ...given, files: { client_grants: [all] } })).actions).toEqual([]);
});

test('pull writes that a grant is for all scopes', async () => {
  const tenant = await pullTenant({ ...seed, client_grants: [grantOfAll] } as Seed);
  const text = (what: string) => `client_grants:\n  - client: Billing job\n    audience: ${audience}\n    ${what}\n`;
  const files = await tenant.pullInto({ 'a.yaml': text('scope: [a]') });
  expect(files['a.yaml']).toContain(text('allow_all_scopes: true'));
  expect(await tenant.driftOf(files)).toEqual([]);
});
