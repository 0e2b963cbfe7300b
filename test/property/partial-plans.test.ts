// The law of plans of a part: one that no guard refuses is not refused either if the same actions are judged with
// everything read. The exception of ADR 9: what is named by complete keys may be the last of its section.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import type { Action, Plan, Selection } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { everything, onlyCompleteKeys } from '../../src/plan/selection.ts';
import { kinds } from '../support/all-kinds.ts';
import { memorySource } from '../support/memory-source.ts';
import { planOf } from '../support/plan-of.ts';
import { seedReader } from '../support/seed-reader.ts';
import { propertyRuns } from '../support/thorough.ts';

const resource = 'oauth_authentication_api';
const orders = 'https://orders.example/';
const scopes = ['a', 'b', 'c'];
const selectors = ['default', 'third_party_clients', 'client_id:test-client', 'client_id:tpa_1', 'client_id:a'];
const names = ['Support', 'Suport', 'Auditor', 'Auditors', 'Billing', 'Sales'];

/** Of each name, what the tenant has and what the files have: nothing, or the value. */
function sides<Value>(known: readonly string[], value: fc.Arbitrary<Value>) {
  const side = fc.option(value, { freq: 3 });
  const pair = fc.oneof(
    fc.record({ live: side, declared: side }),
    value.map((same) => ({ live: same, declared: same })),
  );
  return fc.tuple(...known.map((name) => pair.map((both) => ({ name, ...both }))));
}
type Sides<Value> = readonly { readonly name: string; readonly live: Value | null; readonly declared: Value | null }[];

const configuration = fc.constantFrom(
  { action: 'allow' as const },
  { action: 'block' as const, limit: 0 },
  { action: 'block' as const, limit: 5 },
);
const scene = fc.record({
  policies: sides([...selectors, ...['b', 'c', 'd', 'e', 'f'].map((id) => `client_id:${id}`)], configuration),
  roles: sides(names, fc.subarray(scopes)),
  streams: sides(names.slice(0, 4), fc.constant(true)),
  prompts: sides(['login', 'signup'], fc.constantFrom('', 'x', 'y')),
  scopes: fc.tuple(fc.subarray(scopes, { minLength: 1 }), fc.option(fc.subarray(scopes))),
  sections: fc.subarray(['rate_limit_policies', 'roles', 'prompts', 'event_streams'], { minLength: 1 }),
});

const header = fc.record(
  {
    guards: fc.record(
      {
        max_delete_count: fc.integer({ min: 0, max: 4 }),
        max_delete_percent: fc.constantFrom(0, 30, 100),
        max_update_percent: fc.constantFrom(0, 30, 100),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    protect: fc.record(
      {
        rate_limit_policies: fc.subarray(['client_id:aa', 'defualt', 'client_id:test*']),
        roles: fc.subarray(['Supports', 'Sals', 'A*']),
        event_streams: fc.subarray(['Supports', 'Audito']),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    undeclared: fc.record(
      {
        rate_limit_policies: fc.constantFrom('delete', 'report', 'ignore'),
        roles: fc.constantFrom('report', 'ignore'),
        event_streams: fc.constantFrom('delete', 'report'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const complete = [
  ...selectors.map((selector) => `rate_limit_policies/${resource}/client/${selector}`),
  ...names.map((name) => `roles/${name}`),
  ...names.slice(0, 4).map((name) => `event_streams/${name}`),
  'prompts/login',
  `resource_servers/${orders}`,
];
const wide = [
  'rate_limit_policies',
  'rate_limit_policies/*/client_id:*',
  'roles',
  'roles/S*',
  'event_streams/*or*',
  'prompts',
];
const selection: fc.Arbitrary<Selection> = fc
  .oneof(
    fc.record({ only: fc.subarray(complete, { minLength: 1, maxLength: 4 }), changed: fc.boolean() }),
    fc.record({
      only: fc.subarray([...wide, ...complete], { minLength: 1, maxLength: 3 }),
      changed: fc.constant(false),
    }),
    fc.record({ except: fc.subarray([...wide, ...complete], { minLength: 1, maxLength: 3 }) }),
  )
  .map((some) => ({ ...everything, ...some }));

type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

const destination = { type: 'webhook', configuration: { webhook_endpoint: 'https://crm.example/hook' } } as const;
const subscriptions = [{ event_type: 'user.created' }];
const partials = (text: string) => ({ partials: { login: { 'form-content-start': text } } });
const live = <Value>(all: Sides<Value>) =>
  all.flatMap(({ name, live: value }, index) => (value === null ? [] : [{ name, value, index }]));
const declared = <Value>(all: Sides<Value>) =>
  all.flatMap(({ name, declared: value }) => (value === null ? [] : [{ name, value }]));

function seedOf({ policies, roles, streams, prompts, scopes: [values] }: Scene): Seed {
  return {
    rate_limit_policies: live(policies).map(({ name, value, index }) => ({
      id: `rlp_${index}`,
      resource,
      consumer: 'client',
      consumer_selector: name,
      configuration: value,
    })),
    roles: live(roles).map(({ name, value, index }) => ({
      id: `rol_${index}`,
      name,
      description: '',
      permissions: value
        .filter((one) => values.includes(one))
        .map((permission_name) => ({ resource_server_identifier: orders, permission_name })),
    })),
    resource_servers: [
      { id: '5f1111111111111111111111', identifier: orders, scopes: values.map((value) => ({ value })) },
    ],
    event_streams: live(streams).map(({ name, index }) => ({ id: `est_${index}`, name, subscriptions, destination })),
    prompts: Object.fromEntries(live(prompts).map(({ name, value }) => [name, partials(value)])),
  };
}

/** Some names are declared absent in place of a value: roles are deleted in no other way. */
function filesOf({ policies, roles, streams, prompts, scopes: [, values], sections }: Scene, tenantHeader: object) {
  const all: Readonly<Record<string, unknown>> = {
    rate_limit_policies: declared(policies).map(({ name, value }) => ({
      resource,
      consumer: 'client',
      consumer_selector: name,
      configuration: value,
    })),
    roles: roles.flatMap(({ name, declared: value, live: held }) =>
      value !== null
        ? { name, description: '', permissions: { [orders]: value } }
        : held === null || held.length < 2
          ? []
          : { name, absent: true },
    ),
    event_streams: declared(streams).map(({ name }) => ({ name, subscriptions, destination })),
    prompts: Object.fromEntries(declared(prompts).map(({ name, value }) => [name, partials(value)])),
  };
  const some = sections.map((section) => [section, all[section]]);
  const apis =
    values === null ? {} : { resource_servers: [{ identifier: orders, scopes: values.map((value) => ({ value })) }] };
  return { 'a.yaml': JSON.stringify({ tenant: tenantHeader, ...Object.fromEntries(some), ...apis }) };
}

const sent = ({ request: { method, path, body } }: Action) => JSON.stringify([method, path, body]);

const exceptions = (chosen: Selection, refusals: Plan['refusals']) =>
  refusals.filter(({ code, kind }) => !(code === 'GUARD_EMPTIES_SECTION' && onlyCompleteKeys(chosen, kind) !== null));

let allowed = 0;

test('a plan of a part that is allowed is allowed with everything read', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scene, header, selection, async (given, tenantHeader, chosen) => {
      const { desired } = await loadDesired(memorySource(filesOf(given, tenantHeader)), kinds);
      // A protected item that is absent, for one.
      fc.pre(desired !== null);
      const reader = seedReader(seedOf(given));
      const judge = (more: Pick<Parameters<typeof planOf>[0], 'selection' | 'again'>) =>
        planOf({
          desired,
          reader,
          own: async () => ({ clients: ['test-client', 'tpa_1'].map((id) => ({ id, name: id })), apis: [] }),
          ...more,
        });
      const part = await judge({ selection: chosen });
      fc.pre(part.refusals.length === 0 && part.actions.length > 0);
      allowed += 1;
      const same = new Set(part.actions.map(sent));
      const again = { selection: everything, isSent: (action: Action) => same.has(sent(action)), watched: [] };
      const all = await judge({ selection: everything, again });
      expect(exceptions(chosen, all.refusals)).toEqual([]);
    }),
    propertyRuns(2000, 50),
  );
  expect(allowed).toBeGreaterThan(30);
});
