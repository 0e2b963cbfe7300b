// Properties with api: full, over generated tenants and files of every kind, with the real client and the embedded tenant.
// The reader shuffles every list, because the order of a list must not matter.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { openWriteConnection } from '../../src/client/write-connection.ts';
import type { WriteConnection } from '../../src/model/client.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { DesiredSection, KindName } from '../../src/model/kind.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Reader } from '../../src/model/reader.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { everything } from '../../src/plan/selection.ts';
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
  const operations = kinds.flatMap((kind) => kind.operations);
  connection = openWriteConnection(
    { baseUrl: tenant.baseUrl, credentials, clock: systemClock },
    operations,
    () => 'planted-stream-secret',
  );
});
afterAll(async () => {
  await connection.close();
  await tenant.close();
});

const triple = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
const limit = fc.integer({ min: 0, max: 2 });
const configuration = fc.oneof(
  fc.constant({ action: 'allow' as const }),
  fc.record({ action: fc.constantFrom('block' as const, 'log' as const), limit }),
  fc.record({
    action: fc.constant('redirect' as const),
    limit,
    redirect_uri: fc.constantFrom('https://a.example/', 'https://b.example/x'),
  }),
);
const policies = fc.uniqueArray(
  fc.record({
    consumer_selector: fc.constantFrom('default', 'cimd_clients', 'client_id:a', 'client_id:b', 'client_id:c'),
    configuration,
  }),
  {
    selector: ({ consumer_selector }) => consumer_selector,
  },
);

// More pairs than a page holds, so that both styles of paging are followed.
const allPairs = ['https://o.example/', 'https://p.example/'].flatMap((api) =>
  Array.from({ length: 70 }, (_none, index) => ({ resource_server_identifier: api, permission_name: `p${index}` })),
);
const pairs = fc.oneof(fc.subarray(allPairs.slice(0, 4)), fc.subarray(allPairs));
const roleNames = ['Support', 'support', 'Auditor'];
const roles = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...roleNames),
    byName: fc.boolean(),
    held: pairs,
    permissions: fc.option(pairs),
    absent: fc.option(pairs),
  }),
  { selector: ({ name }) => name },
);

const partials = fc.dictionary(
  fc.constantFrom('login', 'other'),
  fc.dictionary(
    fc.constantFrom('form-content-start', 'form-content-end', 'toString'),
    fc.constantFrom('', 'x', 'y\n', 'ü\r\n'),
  ),
);
const prompts = fc.uniqueArray(
  fc.record({ prompt: fc.constantFrom('login', 'signup', 'login-id'), live: partials, declared: fc.option(partials) }),
  {
    selector: ({ prompt }) => prompt,
  },
);

const authorization = fc.oneof(
  fc.record({ method: fc.constant('basic' as const), username: fc.constantFrom('u', 'v') }),
  fc.record({ method: fc.constant('bearer' as const) }),
  fc.record({ method: fc.constant('custom_header' as const), header_key: fc.constantFrom('X-A', 'X-B') }),
);
const secretFields = { basic: 'password', bearer: 'token', custom_header: 'header_value' } as const;
const stream = fc.record({
  name: fc.constantFrom('s1', 's2', 's3', 's4'),
  events: fc.subarray(['user.created', 'user.deleted', 'user.updated'], { minLength: 1 }),
  status: fc.constantFrom('enabled' as const, 'disabled' as const),
  endpoint: fc.constantFrom('https://a.example/', 'https://b.example/'),
  authorization,
});
const streams = fc.uniqueArray(stream, { selector: ({ name }) => name });
type Stream = typeof stream extends fc.Arbitrary<infer Value> ? Value : never;

const scenario = fc.record({
  live: policies,
  declared: policies,
  roles,
  prompts,
  liveStreams: streams,
  declaredStreams: streams,
  seed: fc.integer(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const idOf = (name: string) => `rol_${roleNames.indexOf(name)}`;

async function arrange({ live, roles: some, prompts: held, liveStreams }: Scenario): Promise<void> {
  await tenant.tenant.change((state) => {
    state.clients = [testClient];
    state.rate_limit_policies = live.map((item, index) => ({ id: `rlp_${index}`, ...triple, ...item }));
    state.roles = some.map((role) => ({ id: idOf(role.name), name: role.name, permissions: role.held }));
    state.prompts = Object.fromEntries(held.map((prompt) => [prompt.prompt, { partials: prompt.live }]));
    state.event_streams = liveStreams.map((item, index) => ({ id: `est_${index + 1}`, ...streamOf(item, false) }));
  });
}

function streamOf({ name, events, status, endpoint, authorization: asked }: Stream, declared: boolean) {
  const secret = declared ? { [secretFields[asked.method]]: '${env:TENANT_VAR_STREAM_SECRET}' } : {};
  return {
    name,
    status,
    subscriptions: events.map((event_type) => ({ event_type })),
    destination: {
      type: 'webhook' as const,
      configuration: { webhook_endpoint: endpoint, webhook_authorization: { ...asked, ...secret } },
    },
  };
}

function desiredOf({ declared, roles: some, prompts: held, declaredStreams }: Scenario): Desired {
  const sections = new Map<KindName, DesiredSection>([
    [
      'rate_limit_policies',
      desiredSection(
        declared.map((item) => [`oauth_authentication_api/client/${item.consumer_selector}`, { ...triple, ...item }]),
      ),
    ],
    ['roles', desiredSection(some.map((role) => declaredRole(role)))],
    [
      'prompts',
      desiredSection(
        held.map((prompt) => [prompt.prompt, prompt.declared === null ? {} : { partials: prompt.declared }]),
      ),
    ],
    ['event_streams', desiredSection(declaredStreams.map((item) => [item.name, streamOf(item, true)]))],
  ]);
  return { tenant: {}, tenantAt: () => undefined, sections };
}

function declaredRole({ name, byName, permissions, absent }: Scenario['roles'][number]) {
  const identity = byName ? { name } : { id: idOf(name) };
  const wanted = permissions === null ? {} : { permissions };
  // A pair that is wanted both present and absent is refused before anything is planned.
  const unwanted =
    absent === null ? {} : { absent_permissions: absent.filter((pair) => !(permissions ?? []).includes(pair)) };
  return [byName ? name : idOf(name), { ...identity, ...wanted, ...unwanted }] as const;
}

/** A reader whose lists have an order that follows from the seed. */
function shuffling(reader: Reader, seed: number): Reader {
  return {
    get: reader.get,
    count: reader.count,
    list: async (operation, query, params) => {
      const listing = await reader.list(operation, query, params);
      if (!listing.ok) return listing;
      const [items] = fc.sample(fc.shuffledSubarray([...listing.items], { minLength: listing.items.length }), {
        seed,
        numRuns: 1,
      });
      return { ok: true, items: items ?? [] };
    },
  };
}

function plan(parts: Scenario, seed = parts.seed): Promise<Plan> {
  const reader = shuffling(connection.reader, seed);
  return planOf({
    desired: desiredOf(parts),
    selection: everything,
    reader,
    baseUrl: tenant.baseUrl,
  });
}

const apply = async (made: Plan, parts: Scenario) => (await applyWith(made, connection, () => plan(parts))).document;
const nameOf = (pair: { readonly resource_server_identifier: string; readonly permission_name: string }) =>
  `${pair.permission_name} of ${pair.resource_server_identifier}`;
const heldBy = (seed: Seed, id: string) =>
  new Set((seed.roles?.find((role) => role.id === id)?.permissions ?? []).map(nameOf));

test('promise 3: after an apply the plan is empty', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const document = await apply(await plan(parts), parts);
      expect(document.summary).toMatchObject({ failed: 0, not_attempted: 0, unknown: 0 });
      const second = await plan(parts, parts.seed + 1);
      expect(second.actions).toEqual([]);
      expect(second.findings.filter(({ code }) => code !== 'LIVE_SECRET_NOT_COMPARED')).toEqual([]);
    }),
    propertyRuns(60, 10),
  );
});

test('promise 4: at every moment a role holds what it held before and shall hold after', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const made = await plan(parts);
      for (const action of made.actions) {
        await connection.perform(action);
        for (const role of parts.roles) {
          const absent = new Set(
            (role.absent ?? []).filter((pair) => !(role.permissions ?? []).includes(pair)).map(nameOf),
          );
          const wanted = role.permissions === null ? null : new Set(role.permissions.map(nameOf));
          const shallStay = role.held
            .map(nameOf)
            .filter((name) => !absent.has(name) && (wanted === null || wanted.has(name)));
          const held = heldBy(tenant.tenant.snapshot(), idOf(role.name));
          expect(shallStay.filter((name) => !held.has(name))).toEqual([]);
        }
      }
    }),
    propertyRuns(30, 10),
  );
});

test('promise 10: the order in which the tenant lists changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      expect(await plan(parts, 1)).toEqual(await plan(parts, 2));
    }),
    propertyRuns(30, 10),
  );
});

test('promise 9: no plan holds a secret, and every secret that is sent comes from the environment', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (parts) => {
      await arrange(parts);
      const made = await plan(parts);
      expect(JSON.stringify(made)).not.toContain('planted');
      const before = tenant.tenant.requests.length;
      await apply(made, parts);
      const bodies = tenant.tenant.requests.slice(before).map(({ body }) => JSON.stringify(body ?? null));
      expect(bodies.filter((body) => body.includes('${env:'))).toEqual([]);
      expect(bodies.filter((body) => body.includes('planted-stream-secret')).length).toBe(
        made.actions.filter(({ request }) => request.secrets !== undefined).length,
      );
    }),
    propertyRuns(20, 10),
  );
});
