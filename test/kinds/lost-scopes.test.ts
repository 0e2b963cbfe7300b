// A client that loses scopes through its grant: guards count each of them, and a plan shows who loses what.
import { expect, test } from 'vitest';
import { kinds } from '../support/all-kinds.ts';
import { effectsIn, planOnTenant } from '../support/plan-on-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

const audience = 'https://orders.example/';
const job = { client_id: 'job00000job00000job00000job00000', name: 'Billing job' };
const scopes = ['a', 'b', 'c', 'd', 'e'];
const seed = {
  clients: [testClient, job],
  resource_servers: [{ identifier: audience, scopes: scopes.map((value) => ({ value })) }],
  client_grants: [{ id: 'cgr_0000000000000001', client_id: job.client_id, audience, scope: scopes }],
};

const planWith = (scope: readonly string[]) =>
  planOnTenant({
    kinds,
    seed,
    files: { client_grants: [{ client: 'Billing job', audience, scope }] },
  });

test.each<[readonly string[], readonly string[]]>([
  [['a', 'b'], []],
  [['a'], ['GUARD_TOO_MANY_DELETES: would remove 4 of 5 live scopes; the limit is 3']],
  [[], ['GUARD_EMPTIES_SECTION: would remove 5 of 5 live scopes and leave the section empty']],
])('%j is left', async (scope, refused) => {
  const { refusals } = await planWith(scope);
  expect(refusals.map(({ code, message }) => `${code}: ${message}`)).toEqual(refused);
});

test('the effect is on the client, by its name', async () => {
  expect(effectsIn(await planWith(['a', 'b', 'c']))).toEqual([
    `ACCESS_LOST warning clients/Billing job: loses d, e of ${audience}`,
  ]);
});
