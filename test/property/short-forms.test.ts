// Whatever form the files use, the plan is the same, and every place is a place of the files.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import type { DesiredSection } from '../../src/model/kind.ts';
import { groupBy } from '../../src/values/group-by.ts';
import { kinds } from '../support/all-kinds.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { memorySource } from '../support/memory-source.ts';
import { propertyRuns } from '../support/thorough.ts';

const selector = fc.constantFrom('default', 'cimd_clients', 'third_party_clients', 'client_id:a', 'client_id:b');
const policy = fc.record({
  consumer_selector: selector,
  configuration: fc.constantFrom({ action: 'allow' }, { action: 'block', limit: 5 }),
  state: fc.constantFrom('present', 'absent', 'unmanaged'),
  resource: fc.boolean(),
  consumer: fc.boolean(),
});
const policies = fc.uniqueArray(policy, { selector: (one) => one.consumer_selector });

// Names that a pointer escapes, and names that an object would sort first.
const api = fc.constantFrom('https://a.example/', 'https://b.example/~x', 'urn:1', '7');
const pair = fc.record({
  resource_server_identifier: api,
  permission_name: fc.constantFrom('read', 'write', '1', 'a/b', 'ü'),
});
const pairs = fc.uniqueArray(pair, { selector: (one) => JSON.stringify(one), maxLength: 8 });
const role = fc.record({
  id: fc.constantFrom('rol_1', 'rol_2'),
  permissions: pairs,
  absent: fc.option(pairs),
  byApi: fc.boolean(),
});
const roles = fc.uniqueArray(role, { selector: ({ id }) => id });

type Policy = typeof policy extends fc.Arbitrary<infer Value> ? Value : never;
type Role = typeof role extends fc.Arbitrary<infer Value> ? Value : never;
type Pair = typeof pair extends fc.Arbitrary<infer Value> ? Value : never;

const identity = { resource: 'oauth_authentication_api', consumer: 'client' };

function policyItem({ consumer_selector, configuration, state, resource, consumer }: Policy, isShort: boolean) {
  return {
    consumer_selector,
    ...(state === 'present' ? { configuration } : { [state]: true }),
    ...((!isShort || resource) && { resource: identity.resource }),
    ...((!isShort || consumer) && { consumer: identity.consumer }),
  };
}

function roleItem({ id, permissions, absent, byApi }: Role, isShort: boolean) {
  const form = (list: readonly Pair[]) => (isShort && byApi ? namesByApi(list) : list);
  const declared = new Set(permissions.map((one) => JSON.stringify(one)));
  const others = absent?.filter((one) => !declared.has(JSON.stringify(one)));
  return { id, permissions: form(permissions), ...(others !== undefined && { absent_permissions: form(others) }) };
}

function namesByApi(list: readonly Pair[]): Readonly<Record<string, readonly string[]>> {
  const byApi = groupBy(list, (one) => one.resource_server_identifier);
  return Object.fromEntries([...byApi].map(([name, some]) => [name, some.map((one) => one.permission_name)]));
}

/** JSON is YAML. One value on each line, so that places differ. */
async function sectionsOf(file: object): Promise<ReadonlyMap<string, DesiredSection>> {
  const { desired, diagnostics } = await loadDesired(memorySource({ 'a.yaml': JSON.stringify(file, null, 2) }), kinds);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return desired?.sections ?? new Map();
}

function planOf(sections: ReadonlyMap<string, DesiredSection>, live: ReadonlyMap<string, readonly unknown[]>) {
  return kinds.flatMap((kind) => {
    const desired = sections.get(kind.name);
    if (desired === undefined) return [];
    const items = live.get(kind.name) ?? [];
    const state = { readable: true, items, filtered: false } as const;
    const input = { desired, live: state, keep: keepNothing, api: 'full', rotate: new Set<string>() } as const;
    return JSON.stringify(kind.decide(input), (name, value) => (name === 'source' ? undefined : value), 2);
  });
}

test('a section in short forms gives the same plan as in long ones', async () => {
  await fc.assert(
    fc.asyncProperty(policies, policies, roles, roles, async (declared, livePolicies, some, liveRoles) => {
      const fileOf = (isShort: boolean) => ({
        rate_limit_policies: declared.map((one) => policyItem(one, isShort)),
        roles: some.map((one) => roleItem(one, isShort)),
      });
      const live = new Map<string, readonly unknown[]>([
        [
          'rate_limit_policies',
          livePolicies.map(({ consumer_selector, configuration }, index) => ({
            id: `rlp_${index}`,
            ...identity,
            consumer_selector,
            configuration,
          })),
        ],
        ['roles', liveRoles.map(({ id, permissions }) => ({ state: 'found', key: id, id, name: null, permissions }))],
      ]);
      const [long, short] = [await sectionsOf(fileOf(false)), await sectionsOf(fileOf(true))];
      expect(planOf(short, live)).toEqual(planOf(long, live));
    }),
    propertyRuns(100, 50),
  );
});

test('the place of a permission is the line that has its name', async () => {
  await fc.assert(
    fc.asyncProperty(roles, fc.boolean(), async (some, isShort) => {
      const file = { roles: some.map((one) => roleItem(one, isShort)) };
      const lines = JSON.stringify(file, null, 2).split('\n');
      const found = (await sectionsOf(file)).get('roles')?.items ?? [];
      for (const { value, at } of found) {
        const { permissions } = value as { readonly permissions: readonly Pair[] };
        for (const [index, one] of permissions.entries()) {
          const { line } = at(`/permissions/${index}/permission_name`);
          expect(lines[line - 1]).toContain(JSON.stringify(one.permission_name));
        }
      }
    }),
    propertyRuns(50),
  );
});
