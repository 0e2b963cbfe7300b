// The laws of effects, over generated roles and APIs, also new and deleted ones: what an apply takes from roles is exactly
// what the plan shows.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { openWriteConnection } from '../../src/client/write-connection.ts';
import type { WriteConnection } from '../../src/model/client.ts';
import type { DesiredSection, KindName } from '../../src/model/kind.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import { everything } from '../../src/plan/selection.ts';
import type { PermissionPair } from '../../src/service/roles/permissions.ts';
import { kinds } from '../support/all-kinds.ts';
import { applyWith } from '../support/apply-with.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { planOf } from '../support/plan-of.ts';
import { type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

let tenant: StartedTenant;
let connection: WriteConnection;
beforeAll(async () => {
  tenant = await startTenant();
  const operations = kinds.flatMap((kind) => kind.operations);
  connection = openWriteConnection(
    { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() }, clock: systemClock },
    operations,
    () => '',
  );
});
afterAll(async () => {
  await connection.close();
  await tenant.close();
});

const scopes = ['a', 'b', 'c'];
const apis = ['https://o.example/', 'https://p.example/'];
const allPairs = apis.flatMap((api) => scopes.map((scope) => pair(scope, api)));
const pairs = fc.subarray(allPairs);
const role = fc.record({
  live: fc.option(pairs),
  state: fc.constantFrom('present' as const, 'absent' as const, 'undeclared' as const),
  description: fc.constantFrom(undefined, 'new'),
  permissions: fc.option(pairs),
  unwanted: pairs,
});
const scenario = fc.record({
  roles: fc.tuple(role, role, role),
  apis: fc.tuple(
    ...apis.map(() =>
      fc.record({
        live: fc.option(fc.subarray(scopes), { freq: 5 }),
        name: fc.constantFrom(undefined, 'new'),
        declared: fc.option(fc.oneof({ weight: 5, arbitrary: fc.subarray(scopes) }, fc.constant('absent' as const))),
      }),
    ),
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const names = ['One', 'Two', 'Three'];

async function arrange(parts: Scenario): Promise<void> {
  const defines = ({ resource_server_identifier: api, permission_name: scope }: PermissionPair) =>
    parts.apis[apis.indexOf(api)]?.live?.includes(scope) === true;
  await tenant.tenant.change((state) => {
    state.clients = [testClient];
    state.resource_servers = parts.apis.flatMap(({ live }, index) =>
      live === null
        ? []
        : [
            {
              id: `5f000000000000000000000${index}`,
              identifier: apis[index] ?? '',
              scopes: live.map((value) => ({ value })),
            },
          ],
    );
    state.roles = parts.roles.flatMap(({ live }, index) =>
      live === null
        ? []
        : [{ id: `rol_${index}`, name: names[index] ?? '', description: '', permissions: live.filter(defines) }],
    );
  });
}

function sectionsOf(parts: Scenario): Map<KindName, DesiredSection> {
  const declared = parts.roles.flatMap(({ state, description, permissions, unwanted }, index) => {
    const name = names[index] ?? '';
    if (state === 'undeclared') return [];
    if (state === 'absent') return [[name, { name }] as const];
    const absent_permissions = unwanted.filter((one) => !(permissions ?? []).includes(one));
    return [
      [
        name,
        {
          name,
          ...(description !== undefined && { description }),
          ...(permissions !== null && { permissions }),
          absent_permissions,
        },
      ] as const,
    ];
  });
  const states = Object.fromEntries(parts.roles.map(({ state }, index) => [names[index], state]));
  const absent = Object.fromEntries(Object.entries(states).filter(([, state]) => state === 'absent'));
  const servers = parts.apis.flatMap(({ declared: wanted, name }, index) => {
    const identifier = apis[index] ?? '';
    if (wanted === null) return [];
    if (wanted === 'absent') return [[identifier, { identifier }] as const];
    return [[identifier, { identifier, ...(name && { name }), scopes: wanted.map((value) => ({ value })) }] as const];
  });
  const gone = apis.filter((_api, index) => parts.apis[index]?.declared === 'absent').map((api) => [api, 'absent']);
  return new Map<KindName, DesiredSection>([
    ['roles', withStates(desiredSection<object>(declared), absent as Record<string, 'absent'>)],
    ['resource_servers', withStates(desiredSection<object>(servers), Object.fromEntries(gone))],
  ]);
}

function plan(parts: Scenario): Promise<Plan> {
  return planOf({
    desired: { tenant: {}, tenantAt: () => undefined, sections: sectionsOf(parts) },
    selection: everything,
    reader: connection.reader,
    baseUrl: tenant.baseUrl,
  });
}

const access = (): string[] =>
  (tenant.tenant.snapshot().roles ?? []).flatMap(({ name, permissions = [] }) =>
    permissions.map((one) => `${name} ${one.permission_name} of ${one.resource_server_identifier}`),
  );

const shown = ({ actions }: Plan, code: string): string[] =>
  actions.flatMap(({ effects }) =>
    effects
      .filter((effect) => effect.code === code)
      .flatMap(({ key, api, permissions = [] }) => permissions.map((permission) => `${key} ${permission} of ${api}`)),
  );

test('ACCESS_LOST is exactly what roles have before and not after, and ACCESS_GAINED the opposite', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const before = access();
      const made = await plan(parts);
      expect(await plan(parts)).toEqual(made);
      const { document } = await applyWith(made, connection, () => plan(parts));
      expect(document.summary).toMatchObject({ failed: 0, not_attempted: 0, unknown: 0 });
      const after = access();
      expect(shown(made, 'ACCESS_LOST').sort()).toEqual(before.filter((one) => !after.includes(one)).sort());
      expect(shown(made, 'ACCESS_GAINED').sort()).toEqual(after.filter((one) => !before.includes(one)).sort());
      // What an error left out stays left out, and everything else is in place.
      expect((await plan(parts)).actions).toEqual([]);
    }),
    propertyRuns(150, 40),
  );
});
