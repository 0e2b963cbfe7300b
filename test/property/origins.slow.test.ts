// Laws of origins, over generated tenants and files with the real kinds: what the files alone or the tenant alone did is
// never taken for the other, and neither the layout of the files nor their order matters.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import type { Desired } from '../../src/model/desired.ts';
import { isDifference } from '../../src/model/findings.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { compareFiles } from '../../src/plan/file-changes.ts';
import { everything } from '../../src/plan/selection.ts';
import { kinds } from '../support/all-kinds.ts';
import { memorySource } from '../support/memory-source.ts';
import { planOf as planWith } from '../support/plan-of.ts';
import { seedReader } from '../support/seed-reader.ts';
import { propertyRuns } from '../support/thorough.ts';

const api = 'https://orders.example/';
const scopes = ['a', 'b', 'c'];
const limit = fc.integer({ min: 1, max: 3 });
const texts = fc.dictionary(fc.constantFrom('form-content-start', 'form-content-end'), fc.constantFrom('x', 'y', 'z'));

/** One state of a tenant, which files can declare as well. */
const state = fc.record({
  policies: fc.dictionary(fc.constantFrom('one', 'two', 'three', 'four'), limit),
  roles: fc.dictionary(fc.constantFrom('Support', 'Sales', 'Audit'), fc.subarray(scopes)),
  prompts: fc.dictionary(fc.constantFrom('login', 'signup'), texts),
  streams: fc.dictionary(
    fc.constantFrom('crm', 'log'),
    fc.subarray(['user.created', 'user.updated', 'user.deleted'], { minLength: 1 }),
  ),
});
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

const destination = { type: 'webhook', configuration: { webhook_endpoint: 'https://crm.example/hook' } } as const;

/** The entries of each section, each the text of a complete file. */
function entriesOf({ policies, roles, prompts, streams }: State): readonly string[] {
  const each = (section: string, items: readonly object[]) =>
    items.length === 0
      ? [JSON.stringify({ [section]: [] })]
      : items.map((item) => JSON.stringify({ [section]: [item] }));
  return [
    ...each(
      'rate_limit_policies',
      Object.entries(policies).map(([name, value]) => ({
        consumer_selector: `client_id:${name}`,
        configuration: { action: 'block', limit: value },
      })),
    ),
    ...each(
      'roles',
      Object.entries(roles).map(([name, held]) => ({ name, description: '', permissions: { [api]: held } })),
    ),
    JSON.stringify({
      prompts: Object.fromEntries(
        Object.entries(prompts).map(([name, points]) => [name, { partials: { [name]: points } }]),
      ),
    }),
    ...each(
      'event_streams',
      Object.entries(streams).map(([name, events]) => ({
        name,
        subscriptions: events.map((event_type) => ({ event_type })),
        destination,
      })),
    ),
  ];
}

/** The files of a state: entries of a section in this order, `size` in a file. */
async function filesOf(given: State, order: readonly number[] = [], prefix = 'a'): Promise<Desired> {
  const entries = entriesOf(given);
  const rank = (index: number) => order[index % Math.max(1, order.length)] ?? 0;
  const sorted = entries
    .map((text, index) => ({ text, rank: rank(index) }))
    .sort((one, other) => one.rank - other.rank);
  const files = sorted.map(({ text }, index) => [`${prefix}${String(index).padStart(3, '0')}.yaml`, text] as const);
  const { desired, diagnostics } = await loadDesired(memorySource(Object.fromEntries(files)), kinds);
  if (desired === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return desired;
}

function seedOf({ policies, roles, prompts, streams }: State): Seed {
  return {
    rate_limit_policies: Object.entries(policies).map(([name, value], index) => ({
      id: `rlp_${index}`,
      resource: 'oauth_authentication_api',
      consumer: 'client',
      consumer_selector: `client_id:${name}`,
      configuration: { action: 'block' as const, limit: value },
    })),
    roles: Object.entries(roles).map(([name, held], index) => ({
      id: `rol_${index}`,
      name,
      description: '',
      permissions: held.map((permission_name) => ({ resource_server_identifier: api, permission_name })),
    })),
    resource_servers: [{ identifier: api, scopes: scopes.map((value) => ({ value })) }],
    prompts: Object.fromEntries(
      Object.entries(prompts).map(([name, points]) => [name, { partials: { [name]: points } }]),
    ),
    event_streams: Object.entries(streams).map(([name, events], index) => ({
      id: `est_${index + 1}`,
      name,
      subscriptions: events.map((event_type) => ({ event_type })),
      destination,
    })),
  };
}

async function planOf(now: Desired, base: Desired, live: State): Promise<Plan> {
  return planWith({
    desired: now,
    selection: everything,
    reader: seedReader(seedOf(live)),
    base: {
      ref: 'main',
      commit: '0'.repeat(40),
      isBehind: false,
      state: { desired: base, changes: compareFiles(now, base) },
    },
  });
}

/** Origins of what differs, by what it is about. */
function originsOf({ actions, findings }: Plan) {
  return new Map([
    ...actions.map(({ id, origin }) => [id, origin] as const),
    ...findings.filter(isDifference).map(({ code, key, origin }) => [`${code} ${key}`, origin] as const),
  ]);
}

const runs = propertyRuns(300, 20);

test('files that are as at the base cause no change', async () => {
  await fc.assert(
    fc.asyncProperty(state, state, fc.array(fc.nat()), async (files, live, order) => {
      const origins = originsOf(await planOf(await filesOf(files), await filesOf(files, order, 'b'), live));
      for (const origin of origins.values()) expect(origin).toBe('drift');
    }),
    runs,
  );
});

test('a tenant that is as the base declares it has no drift', async () => {
  await fc.assert(
    fc.asyncProperty(state, state, async (files, base) => {
      const origins = originsOf(await planOf(await filesOf(files), await filesOf(base), base));
      for (const origin of origins.values()) expect(origin).toBe('change');
    }),
    runs,
  );
});

test('origins depend neither on the layout of the files nor on their order', async () => {
  await fc.assert(
    fc.asyncProperty(state, state, state, fc.array(fc.nat()), async (files, base, live, order) => {
      const plain = await planOf(await filesOf(files), await filesOf(base), live);
      const moved = await planOf(await filesOf(files, order, 'x'), await filesOf(base, order.toReversed(), 'y'), live);
      expect(originsOf(moved)).toEqual(originsOf(plain));
      expect(moved.digest).toBe(plain.digest);
    }),
    runs,
  );
});

test('an item that only one side moved has the origin of that side, whatever happened to the others', async () => {
  await fc.assert(
    fc.asyncProperty(state, state, state, async (files, base, live) => {
      const origins = originsOf(await planOf(await filesOf(files), await filesOf(base), live));
      const names = new Set([
        ...Object.keys(files.policies),
        ...Object.keys(base.policies),
        ...Object.keys(live.policies),
      ]);
      for (const name of names) {
        const [now, before, there] = [files.policies[name], base.policies[name], live.policies[name]];
        if (now === there) continue;
        const expected =
          now === before
            ? 'drift'
            : there === before || (before === undefined && now !== undefined)
              ? 'change'
              : 'both';
        const id = `rate_limit_policies/oauth_authentication_api/client/client_id:${name}`;
        expect([id, origins.get(id)]).toEqual([id, expected]);
      }
    }),
    runs,
  );
});
