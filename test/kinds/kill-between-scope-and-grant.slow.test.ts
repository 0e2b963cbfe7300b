// A new scope and its grant are one apply. Killed at either request, the next apply ends what the first one began.
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { startKillProxy } from '../support/kill-apply.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const orders = 'https://orders.example/';
const id = '5f0000000000000000000001';
const seed: Seed = {
  resource_servers: [{ id, identifier: orders, scopes: [{ value: 'read:orders' }] }],
  roles: [{ id: 'rol_1', name: 'Support', permissions: [pair('read:orders')] }],
};
const patch = `PATCH /resource-servers/${id}`;
const grant = 'POST /roles/rol_1/permissions';

test.each([
  { write: 1, moment: 'before', again: [patch, grant] },
  { write: 1, moment: 'committed', again: [grant] },
  { write: 2, moment: 'before', again: [grant] },
  { write: 2, moment: 'committed', again: [] },
] as const)('killed at write $write, $moment', async ({ write, moment, again }) => {
  const tenant = await tenantWith(seed);
  const proxy = await startKillProxy(tenant);
  const files = await folder({
    'a.yaml': `resource_servers:\n  - identifier: ${orders}\n    scopes: [{ value: "read:orders" }, { value: "export:orders" }]\n`,
    'r.yaml': `roles:\n  - name: Support\n    permissions:\n      ${orders}: ["read:orders", "export:orders"]\n`,
  });
  const env = { TENANT_SYNC_STATE_DIR: await folder({}) };
  const apply = { argv: ['apply', files, '--yes'], env };
  const killed = await proxy.run({ ...apply, kill: { write, moment } });
  expect({ signal: killed.signal, writes: killed.writes }).toEqual({
    signal: 'SIGKILL',
    writes: [patch, grant].slice(0, write),
  });
  const second = await proxy.run(apply);
  expect({ code: second.code, writes: second.writes }).toEqual({ code: 0, writes: again });
  const { resource_servers: [api] = [], roles: [role] = [] } = tenant.tenant.snapshot();
  expect(api?.scopes?.map(({ value }) => value)).toEqual(['read:orders', 'export:orders']);
  expect(role?.permissions).toEqual([pair('read:orders'), pair('export:orders')]);
  expect((await proxy.run({ ...apply, argv: ['plan', files, '--exit-code'] })).code).toBe(0);
});
