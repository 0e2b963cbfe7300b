// A complete apply that gives access and takes it away: what grants is sent first, and nothing waits for ever.
import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const [orders, stock] = ['https://orders.example/', 'https://stock.example/'];
const clientOf = (name: string) => ({ client_id: `${name}0000000000000000000000000000`.slice(0, 32), name });
const [job, shop] = [clientOf('job'), clientOf('shop')];
const scopes = ['a', 'b', 'c'].map((value) => ({ value }));
const grant = (
  id: number,
  { client_id }: { readonly client_id: string },
  audience: string,
  scope: readonly string[],
) => ({
  ...{ id: `cgr_000000000000000${id}`, client_id, audience, scope, subject_type: 'client' },
});

test('scopes and connections change hands', async () => {
  const tenant = await tenantWith({
    clients: [testClient, job, shop],
    resource_servers: [orders, stock].map((identifier) => ({ identifier, scopes })),
    client_grants: [
      grant(1, job, orders, ['a', 'b', 'c']),
      grant(2, shop, orders, ['c']),
      grant(3, shop, stock, ['a']),
    ],
    connections: [
      { id: 'con_0000000000000001', name: 'staff', strategy: 'auth0', enabled_clients: [{ client_id: job.client_id }] },
      {
        id: 'con_0000000000000002',
        name: 'users',
        strategy: 'auth0',
        enabled_clients: [{ client_id: shop.client_id }],
      },
    ],
  } as never);
  const path = await folder({
    'grants.yaml': JSON.stringify({
      client_grants: [
        { client: 'job', audience: orders, scope: ['a'] },
        { client: 'shop', audience: orders, scope: ['b'] },
        { client: 'shop', audience: stock, scope: ['a', 'c'] },
        { client: 'job', audience: stock, scope: ['c'] },
      ],
    }),
    'connections.yaml': JSON.stringify({
      connections: [
        { name: 'staff', strategy: 'auth0', enabled_clients: ['shop'] },
        { name: 'users', strategy: 'auth0', enabled_clients: ['job'] },
      ],
    }),
  });
  const run = (...argv: readonly string[]) => runCommand([...argv], { env: tenant.env });
  const { code, stderr } = await run('apply', path, '--yes', '--debug');
  expect(code).toBe(0);
  const writes = [...stderr.matchAll(/debug: (POST|PATCH) \/api\/v2\/(\S+): 20/g)].map(
    ([, method, to]) => `${method} ${to}`,
  );
  expect(writes.filter((write) => write.includes('grants')).at(-1)).toBe('PATCH client-grants/cgr_0000000000000001');
  expect(writes).toHaveLength(8);
  expect((await run('plan', path)).stdout).toContain('In sync.');
});

test('the clients of a connection that cannot be read make a plan incomplete, and apply sends nothing', async () => {
  const connection = { id: 'con_0000000000000001', name: 'users', strategy: 'auth0' };
  const tenant = await tenantWith(
    { clients: [testClient, shop], connections: [{ ...connection, options: { disable_signup: true } }] } as never,
    { faults: [{ operation: 'list_enabled_clients', kind: 'html', every: 1 }] },
  );
  const declared = { name: 'users', strategy: 'auth0', options: { disable_signup: false }, enabled_clients: ['shop'] };
  const path = await folder({ 'tenant.yaml': JSON.stringify({ connections: [declared] }) });
  const { code, stdout, stderr } = await runCommand(['apply', path, '--yes'], { env: tenant.env });
  expect(code).toBe(4);
  expect(stdout).toContain('LIVE_LISTING_INCOMPLETE: its enabled_clients could not be read, and are not changed');
  expect(stderr).toContain('PLAN_INCOMPLETE');
});

describe('clients of a connection that take several requests', () => {
  const clients = Array.from({ length: 120 }, (_none, index) => clientOf(`app${String(index).padStart(3, '0')}`));
  const connection = { id: 'con_0000000000000001', name: 'users', strategy: 'auth0' };
  const setUp = async (enabled: readonly { readonly client_id: string }[], fault?: object) => {
    const enabled_clients = enabled.map(({ client_id }) => ({ client_id }));
    return tenantWith(
      { clients: [testClient, ...clients], connections: [{ ...connection, enabled_clients }] } as never,
      { faults: fault === undefined ? [] : [fault as never] },
    );
  };
  const apply = async (tenant: Awaited<ReturnType<typeof setUp>>, names: readonly string[]) => {
    const path = await folder({
      'tenant.yaml': JSON.stringify({
        tenant: { guards: { max_delete_count: 200 } },
        connections: [{ ...connection, id: undefined, enabled_clients: names }],
      }),
    });
    const { code, stdout } = await runCommand(['apply', path, '--yes', '--format', 'json'], { env: tenant.env });
    const { outcomes, verification } = JSON.parse(stdout);
    return { code, verification, outcomes: outcomes.map(({ id, outcome }: never) => `${id} ${outcome}`) };
  };
  const names = clients.map(({ name }) => name);
  const of = (does: string, first: string, outcome: string) =>
    `connections/users#${does} enabled_clients ${first} ${outcome}`;

  test.each(['add', 'remove'])('%s: each is verified', async (does) => {
    const tenant = await setUp(does === 'add' ? [] : clients);
    const { code, outcomes, verification } = await apply(tenant, does === 'add' ? names : names.slice(-1));
    expect(outcomes).toEqual(['app000', 'app050', 'app100'].map((first) => of(does, first, 'done')));
    expect(verification).toMatchObject({ result: 'verified', verified: 3 });
    expect(code).toBe(0);
  });

  test('the outcome of one that fails is no outcome of another', async () => {
    const fault = { operation: 'add_enabled_clients', kind: 'status', status: 400, nth: 2 };
    const tenant = await setUp([], fault);
    const { code, outcomes, verification } = await apply(tenant, names);
    expect([...outcomes].sort()).toEqual([
      of('add', 'app000', 'done'),
      of('add', 'app050', 'failed'),
      of('add', 'app100', 'done'),
    ]);
    expect(verification).toMatchObject({ result: 'verified', verified: 2 });
    expect(code).toBe(1);
  });
});
