// Properties with api: documented, over generated tenants and files, with the real client and the embedded tenant.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { openWriteConnection } from '../../src/client/write-connection.ts';
import type { WriteConnection } from '../../src/model/client.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { DesiredSection, KindName } from '../../src/model/kind.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { TenantHeader } from '../../src/model/tenant.generated.ts';
import { everything } from '../../src/plan/selection.ts';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { applyWith } from '../support/apply-with.ts';
import { desiredSection } from '../support/desired-section.ts';
import { planOf } from '../support/plan-of.ts';
import { type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

let tenant: StartedTenant;
let connection: WriteConnection;
beforeAll(async () => {
  tenant = await startTenant();
  const credentials = { token: await tenant.token() };
  connection = openWriteConnection(
    { baseUrl: tenant.baseUrl, credentials, clock: systemClock },
    kinds.flatMap((kind) => kind.operations),
    () => undefined,
  );
});
afterAll(async () => {
  await connection.close();
  await tenant.close();
});

const selectors = [
  'default',
  'cimd_clients',
  'third_party_clients',
  'client_id:a',
  'client_id:b',
  'client_id:https://c.example/d',
  'client_id:é ü'.replace(' ', '-'),
];
const triple = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
const configuration = fc.oneof(
  fc.constant({ action: 'allow' as const }),
  fc.record({ action: fc.constantFrom('block' as const, 'log' as const), limit: fc.integer({ min: 0, max: 2 }) }),
);
const policy = fc.record({ consumer_selector: fc.constantFrom(...selectors), configuration });
const livePolicies = fc
  .array(policy, { maxLength: 12 })
  .map((items) => items.map((item, index): LivePolicy => ({ id: `rlp_${index}`, ...triple, ...item })));
const declaredPolicies = fc.uniqueArray(policy, {
  selector: ({ consumer_selector }) => consumer_selector,
  maxLength: 7,
});
const stream = fc.record({ name: fc.constantFrom('s1', 's2', 's3'), events: fc.subarray(['a', 'b', 'c']) });
const destination = { type: 'webhook' as const, configuration: { webhook_endpoint: 'https://a.example/' } };
const streams = fc.uniqueArray(stream, { selector: ({ name }) => name });
const pairs = fc
  .subarray(['p1', 'p2', 'p3'], { minLength: 1 })
  .map((names) =>
    names.map((permission_name) => ({ resource_server_identifier: 'https://o.example/', permission_name })),
  );

const scenario = fc.record({
  live: livePolicies,
  declared: declaredPolicies,
  liveStreams: streams,
  declaredStreams: streams,
  held: pairs,
  absent: pairs,
  text: fc.string(),
  protect: fc.subarray(selectors),
  keep: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

async function arrange({ live, liveStreams, held }: Scenario): Promise<void> {
  await tenant.tenant.change((state) => {
    state.clients = [testClient];
    state.rate_limit_policies = live;
    state.roles = [{ id: 'rol_1', name: 'Support', permissions: held }];
    state.prompts = { login: { partials: { login: { 'form-content-start': 'old' } } } };
    state.event_streams = liveStreams.map(({ name, events }) => ({
      id: `est_${name}`,
      name,
      subscriptions: events.map((event_type) => ({ event_type })),
      destination,
    }));
  });
}

function desiredOf({ declared, declaredStreams, absent, text, protect, keep }: Scenario): Desired {
  const sections = new Map<KindName, DesiredSection>([
    [
      'rate_limit_policies',
      desiredSection(
        declared.map((item) => [`oauth_authentication_api/client/${item.consumer_selector}`, { ...triple, ...item }]),
      ),
    ],
    ['roles', desiredSection([['rol_1', { id: 'rol_1', absent_permissions: absent }]])],
    ['prompts', desiredSection([['login', { partials: { login: { 'form-content-start': text } } }]])],
    [
      'event_streams',
      desiredSection(
        declaredStreams.map(({ name, events }) => [
          name,
          { name, subscriptions: events.map((event_type) => ({ event_type })), destination },
        ]),
      ),
    ],
  ]);
  const header: TenantHeader = {
    api: 'documented',
    protect: { rate_limit_policies: protect },
    ...(keep && { undeclared: { rate_limit_policies: 'report' } }),
  };
  return { tenant: header, tenantAt: () => undefined, sections };
}

function plan(desired: Desired): Promise<Plan> {
  return planOf({
    desired,
    selection: everything,
    reader: connection.reader,
    baseUrl: tenant.baseUrl,
  });
}

const apply = async (made: Plan, desired: Desired) => (await applyWith(made, connection, () => plan(desired))).document;
const readable = ({ actions }: Plan) => actions.filter(({ reason }) => reason !== 'unreadable');
const policiesOf = ({ rate_limit_policies: policies = [] }: Seed) => policies;

test('promise 3: after an apply there is no action for what can be read, and a second apply changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const desired = desiredOf(parts);
      const first = await apply(await plan(desired), desired);
      expect(first.summary).toMatchObject({ failed: 0, not_attempted: 0, unknown: 0 });
      const once = tenant.tenant.snapshot();
      const second = await plan(desired);
      expect(readable(second)).toEqual([]);
      await apply(second, desired);
      expect(tenant.tenant.snapshot()).toEqual(once);
    }),
    propertyRuns(60, 15),
  );
});

test('promise 2: an apply touches only what the plan names', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const before = tenant.tenant.snapshot();
      const made = await plan(desiredOf(parts));
      await apply(made, desiredOf(parts));
      const after = tenant.tenant.snapshot();
      const deleted = new Set(
        made.actions.filter(({ action }) => action === 'delete').map(({ before: item }) => item?.['id']),
      );
      expect(policiesOf(after)).toEqual(policiesOf(before).filter(({ id }) => !deleted.has(id)));
      expect(after.event_streams).toEqual(before.event_streams);
      const absent = new Set(parts.absent.map(({ permission_name }) => permission_name));
      expect(after.roles?.[0]?.permissions).toEqual(
        parts.held.filter(({ permission_name }) => !absent.has(permission_name)),
      );
    }),
    propertyRuns(60, 15),
  );
});

test('promises 5 and 6: what is declared as it is, protected or kept is never deleted, and of every declared identity something stays', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const made = await plan(desiredOf(parts));
      const deleted = made.actions
        .filter(({ action }) => action === 'delete')
        .map(({ before }) => before as unknown as LivePolicy);
      if (parts.keep) expect(deleted).toEqual([]);
      for (const item of deleted) expect(parts.protect).not.toContain(item.consumer_selector);
      const remaining = parts.live.filter(({ id }) => !deleted.some((item) => item.id === id));
      for (const { consumer_selector: selector } of parts.declared) {
        const had = parts.live.some((item) => item.consumer_selector === selector);
        expect(remaining.some((item) => item.consumer_selector === selector)).toBe(had);
      }
    }),
    propertyRuns(60, 15),
  );
});

test('promise 10: the order of files and of live items changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const made = await plan(desiredOf(parts));
      const shuffled = {
        ...parts,
        declared: [...parts.declared].reverse(),
        declaredStreams: [...parts.declaredStreams].reverse(),
        live: [...parts.live].reverse(),
      };
      await arrange(shuffled);
      const again = await plan(desiredOf(shuffled));
      const withoutPlaces = (value: Plan) =>
        JSON.stringify({ ...value, checksum: '' }, (key, child) => (key === 'source' ? undefined : child));
      expect(withoutPlaces(again)).toBe(withoutPlaces(made));
    }),
    propertyRuns(40, 15),
  );
});
