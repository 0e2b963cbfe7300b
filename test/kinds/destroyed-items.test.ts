// Items with which something is lost for good: a plan deletes them only where the files ask for it, and never unapproved.
import { expect, test } from 'vitest';
import { validatePlan } from '../../src/contract/plan.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { effectsIn, planOnTenant } from '../support/plan-on-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const shop = { client_id: 'shop0000shop0000shop0000shop0000', name: 'Web shop', is_first_party: true };
const seed = {
  clients: [testClient, shop],
  connections: [
    { id: 'con_0000000000000001', name: 'users', strategy: 'auth0' },
    { id: 'con_0000000000000002', name: 'staff', strategy: 'auth0' },
  ],
};

const absent = { state: 'absent' } as const;

test('a connection that is declared absent is refused until its code is approved', async () => {
  const files = { connections: [{ name: 'users', ...absent }] };
  const plan = await planOnTenant({ kinds, seed, files });
  expect(validatePlan(plan)).toBe(true);
  expect(plan.actions.map(({ action, id }) => [action, id])).toEqual([['delete', 'connections/users']]);
  expect(effectsIn(plan)).toEqual(['ITEM_DESTROYED critical connections/users: is deleted for good, with its users']);
  expect(plan.refusals).toMatchObject([
    {
      code: 'GUARD_DESTROYS',
      message: 'would delete 1 connection for good, with its users',
      items: ['connections/users#con_0000000000000001'],
      approved_by: null,
    },
  ]);
});

test('a client that is declared absent is refused as well', async () => {
  const plan = await planOnTenant({ kinds, seed, files: { clients: [{ name: 'Web shop', ...absent }] } });
  expect(plan.refusals.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'GUARD_DESTROYS: would delete 1 client for good, with its client id and its secret',
  ]);
});

test('an approval covers the grants that go with a client', async () => {
  const orders = 'https://orders.example/';
  const grant = (id: string, subject_type: string) => ({
    id,
    client_id: shop.client_id,
    audience: orders,
    subject_type,
  });
  const grants = [grant('cgr_1', 'client'), grant('cgr_2', 'user')].map((one) => ({ ...one, scope: ['read:orders'] }));
  const refusal = async (client_grants: readonly object[]) => {
    const apis = { resource_servers: [{ identifier: orders, scopes: [{ value: 'read:orders' }] }] };
    const files = { clients: [{ name: 'Web shop', ...absent }] };
    const { refusals } = await planOnTenant({ kinds, seed: { ...seed, ...apis, client_grants }, files });
    return refusals.find(({ code }) => code === 'GUARD_DESTROYS');
  };
  const [one, two] = [await refusal(grants.slice(0, 1)), await refusal(grants)];
  expect(one).toMatchObject({
    losses: 1,
    message: 'would delete 1 client for good, with its client id and its secret',
  });
  expect(one?.items).toEqual([
    expect.stringMatching(/^client_grants\/.*#cgr_1$/),
    `clients/Web shop#${shop.client_id}`,
  ]);
  expect(two?.items).toHaveLength(3);
  expect(two?.approve).not.toBe(one?.approve);
});

test('what nobody declares stays', async () => {
  const files = { clients: [], connections: [{ name: 'staff', strategy: 'auth0' }] };
  expect((await planOnTenant({ kinds, seed, files })).actions).toEqual([]);
});

test('an apply deletes it with the code of the refusal, and sends nothing without', async () => {
  const tenant = await tenantWith(seed as never);
  const path = await folder({ 'connections.yaml': 'connections: [{ name: users, absent: true }]\n' });
  const apply = (...argv: readonly string[]) => runCommand(['apply', path, '--yes', ...argv], { env: tenant.env });
  const refused = await apply();
  expect([refused.code, refused.stdout.includes('GUARD_DESTROYS')]).toEqual([4, true]);
  const [, approve = ''] = /--approve ([0-9a-f]{24})/.exec(refused.stdout) ?? [];
  expect((await apply('--approve', approve)).code).toBe(0);
  expect((await runCommand(['plan', path], { env: tenant.env })).stdout).toContain('In sync.');
});

test('no file can say that what nobody declares is deleted', async () => {
  const path = await folder({ 'tenant.yaml': 'tenant: { undeclared: { connections: delete } }\nconnections: []\n' });
  const { code, stdout, stderr } = await runCommand(['validate', path]);
  expect([code, (stdout + stderr).includes('report')]).toEqual([3, true]);
});
