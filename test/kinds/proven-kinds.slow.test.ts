// Laws that hold for every described kind, on values that its published schema accepts. Nothing here knows what a mark means; a few
// names say what has to exist for an item to be accepted.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { layeredSource } from '../../src/config/files/layered-source.ts';
import { noVariables } from '../../src/config/variables/variables.ts';
import { type FileSource, filesAt } from '../../src/model/file-source.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { type ApplyOptions, type ApplyResult, apply, type PlanResult, plan, pull } from '../../src/sync/index.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { fingerprint } from '../../src/values/fingerprint.ts';
import { isRecord } from '../../src/values/is-record.ts';
import { kinds } from '../support/all-kinds.ts';
import { itemsOf, publishedSchema, requiredFields } from '../support/generated-items.ts';
import { memorySource } from '../support/memory-source.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { propertyRuns } from '../support/thorough.ts';

const api = 'https://orders.example/';
const applications = ['Web shop', 'Billing job'];
const nameOfApplication = fc.constantFrom(...applications);

/** What exists on each tenant, and can be named. */
const world: Seed = {
  resource_servers: [{ identifier: api, scopes: [{ value: 'read:orders' }, { value: 'write:orders' }] }],
  clients: [
    // A secret of a client takes a scope of its own.
    { ...testClient, scopes: [...testClient.scopes, 'update:client_keys'] },
    ...applications.map((name, index) => ({
      client_id: `${index}`.repeat(32),
      name,
      client_secret: `planted-${index}`,
    })),
  ],
};

const scopes = fc.constantFrom('read:orders', 'write:orders');

function credentialOf(name: string) {
  const pem = '-----BEGIN PUBLIC KEY-----\n(invented)\n-----END PUBLIC KEY-----';
  return { name, credential_type: 'public_key', pem };
}

const usedCredentials = fc
  .subarray(['2026', '2027'], { minLength: 1 })
  .map((names) => ({ credentials: names.map((name) => ({ name })) }));

/** What an item needs to be created. */
const always: Readonly<Record<string, object>> = {
  roles: { description: 'Answers' },
  clients: { credentials: ['2026', '2027'].map(credentialOf) },
};

/** Fields whose values have to exist, or to fit each other. */
const given: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  rate_limit_policies: { client: nameOfApplication },
  client_grants: {
    client: nameOfApplication,
    audience: fc.constant(api),
    scope: fc.uniqueArray(scopes),
    authorization_details_types: fc.constant([]),
  },
  clients: {
    name: fc.constantFrom('Portal', 'Reports', ...applications),
    credentials: fc.constant(['2026', '2027'].map(credentialOf)),
    client_authentication_methods: usedCredentials.map((used) => ({ private_key_jwt: used })),
    signed_request_object: usedCredentials.map((used) => ({ required: true, ...used })),
    // It cannot change, and the service has rules about others beside it.
    jwt_configuration: fc.record({ lifetime_in_seconds: fc.integer({ min: 1, max: 1000 }) }),
    is_token_endpoint_ip_header_trusted: fc.constant(false),
    // The service refuses many fields of the others.
    is_first_party: fc.constant(true),
    refresh_token: fc.record(
      {
        rotation_type: fc.constant('rotating'),
        expiration_type: fc.constant('expiring'),
        token_lifetime: fc.integer({ min: 100, max: 1000 }),
        leeway: fc.integer({ min: 0, max: 60 }),
      },
      { requiredKeys: ['rotation_type', 'expiration_type'] },
    ),
  },
  roles: {
    name: fc.constantFrom('Support', 'Auditor', 'Reader'),
    description: fc.constantFrom('Answers', 'Reads', ''),
    permissions: fc.oneof(
      fc.uniqueArray(scopes).map((names) => ({ [api]: names })),
      fc
        .uniqueArray(scopes)
        .map((names) => names.map((name) => ({ resource_server_identifier: api, permission_name: name }))),
    ),
    absent_permissions: fc.constant([]),
  },
  connections: { enabled_clients: fc.uniqueArray(nameOfApplication), strategy: fc.constantFrom('auth0', 'oidc') },
};

type Item = Readonly<Record<string, unknown>>;
type Section = readonly Item[] | Item;

const env = {
  TENANT_VAR_ONE: 'planted-value-of-the-first-variable',
  TENANT_VAR_TWO: 'planted-value-of-the-second-variable',
};

const services = join(import.meta.dirname, '../../src/service');
const described = kinds.filter(({ name }) =>
  existsSync(join(services, name.replaceAll('_', '-'), 'description.generated.ts')),
);

/** Items of the kind that can be declared together. A new item has no null. */
function sectionOf({ name, identity, keyOf }: AnyKind, mostItems = 3, isPresent = true): fc.Arbitrary<Section> {
  const document = publishedSchema(name.replaceAll('_', '-'));
  const own = itemsOf(document, { given: given[name] ?? {}, isPresent });
  // A client authenticates in one way.
  const isOne = (one: object) => !('client_authentication_methods' in one && 'token_endpoint_auth_method' in one);
  const item = own.filter(isOne).map((one) => ({ ...always[name], ...one }));
  if (identity.length === 0) return item as fc.Arbitrary<Item>;
  return fc.uniqueArray(item as fc.Arbitrary<Item>, {
    minLength: 1,
    maxLength: mostItems,
    selector: (one) => keyOf(one, ''),
  });
}

interface Scene {
  readonly plan: (section: Section) => Promise<PlanResult>;
  /** Null if it cannot be changed in place. */
  readonly apply: (section: Section) => Promise<ApplyResult | null>;
  /** Sends no more after so many actions. Without its state, as after a crash of another machine. */
  readonly applySome: (section: Section, actions: number) => Promise<void>;
  readonly planLayers: (layers: readonly Section[]) => Promise<PlanResult>;
  /** With a client that cannot read the kind. */
  readonly planWithout: (section: Section) => Promise<PlanResult>;
  readonly pull: () => Promise<Readonly<Record<string, string>>>;
  readonly planFiles: (files: Readonly<Record<string, string>>) => Promise<PlanResult>;
  readonly stored: () => unknown;
  readonly close: () => Promise<void>;
}

async function openScene({ name }: AnyKind): Promise<Scene> {
  const scopes = testClient.scopes.filter((scope) => scope !== `read:${name}`);
  const clients = [...(world.clients ?? []), { ...testClient, client_id: `without-${name}`, scopes }];
  const tenant = await startTenant({ ...world, clients });
  const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
  const stateFolder = await folder({});
  const sourceOf = (section: Section) =>
    memorySource({ 'a.yaml': stringify({ [name]: section }, { aliasDuplicateObjects: false }) });
  const options = (files: FileSource) => ({
    files,
    tenant: access,
    selection: { only: [name] },
    variables: { ...noVariables, env },
    secret: (variable: string) => env[variable as keyof typeof env],
  });
  return {
    plan: (section) => plan(options(sourceOf(section))),
    planFiles: (files) => plan(options(memorySource(files))),
    planLayers: (layers) =>
      plan(options(layeredSource(layers.map((one, index) => filesAt(`${index}/`, sourceOf(one)))))),
    applySome: async (section, actions) => {
      const [stop, state] = [new AbortController(), await folder({})];
      let ended = 0;
      const onEvent: ApplyOptions['onEvent'] = ({ type }) => {
        if (type === 'action_ended' && ++ended >= actions) stop.abort();
      };
      const stopping = { signal: stop.signal, onEvent, stateFolder: state };
      await apply({ ...options(sourceOf(section)), ...stopping, confirm: 'skip', visibleWithin: 1 });
    },
    planWithout: async (section) => {
      const token = await tenant.token(`without-${name}`);
      return plan({ ...options(sourceOf(section)), tenant: { baseUrl: tenant.baseUrl, credentials: { token } } });
    },
    apply: async (section) => {
      const planned = await plan(options(sourceOf(section)));
      if ('plan' in planned && planned.plan.findings.some(({ code }) => code === 'LIVE_DIFFERENT')) return null;
      const code = 'plan' in planned ? planned.plan.refusals[0]?.approve : undefined;
      const approve = code === undefined ? {} : { approve: code };
      return apply({ ...options(sourceOf(section)), ...approve, confirm: 'skip', stateFolder, visibleWithin: 1 });
    },
    pull: async () => {
      const result = await pull(options(memorySource({})));
      if (result.status !== 'pulled') return expect.fail(JSON.stringify(result));
      return Object.fromEntries(result.files.map(({ file, after }) => [file, after]));
    },
    stored: () => tenant.tenant.snapshot()[name],
    close: () => tenant.close(),
  };
}

/** Why items were no case. */
const refusals = new Set<string>();

/** True if all was done. What the service refuses by a rule of its own is no case. */
function isDone(result: ApplyResult | null): boolean {
  if (result === null) return false;
  if (result.status === 'invalid') {
    for (const { message } of result.diagnostics) refusals.add(message);
    return false;
  }
  if (!('outcomes' in result)) return expect.fail(JSON.stringify(result));
  const { outcomes } = result.outcomes;
  for (const { message } of outcomes) if (message) refusals.add(message);
  for (const { outcome, message } of outcomes)
    if (outcome !== 'done' && !/ 40[039]\b|depends on/.test(message ?? '')) expect.fail(`${outcome}: ${message}`);
  return outcomes.every(({ outcome }) => outcome === 'done');
}

/** What the tenant counts, or writes down, for itself. */
const bookkeeping = ['updated_at', 'writes'];

/** The first state with one field of the second one, of the same item. */
function withOneField(
  { identity, isSingle }: Pick<AnyKind, 'identity' | 'isSingle'>,
  first: Section,
  second: Section,
  chosen: number,
): { readonly section: Section; readonly field: string } | null {
  if (isSingle) {
    const pair = withOneField({ identity }, [first as Item], [second as Item], chosen);
    return pair && { ...pair, section: (pair.section as Item[])[0] as Item };
  }
  const [[key, one] = ['', {}]] = membersIn(first);
  const other = membersIn(second).find(([name]) => Array.isArray(second) || name === key)?.[1] ?? {};
  const fields = Object.keys(other).filter(
    (name) => !identity.includes(name) && !isDeepStrictEqual(other[name], one[name]),
  );
  const field = fields[chosen % fields.length];
  if (field === undefined) return null;
  const changed = { ...one, [field]: other[field] };
  return { section: Array.isArray(first) ? [changed] : { ...first, [key]: changed }, field };
}

/** The items of a section by position, or by their own keys. */
function membersIn(section: Section): readonly (readonly [string, Item])[] {
  return Object.entries(section).map(([key, value]) => [key, value as Item]);
}

/** The stored items by id, or by name. */
function rawItemsOf({ isSingle }: AnyKind, stored: unknown): Readonly<Record<string, Item>> {
  if (isSingle) return { one: (stored ?? {}) as Item };
  const idOf = ({ id, client_id }: Item) => String(id ?? client_id);
  if (!Array.isArray(stored)) return (stored ?? {}) as Readonly<Record<string, Item>>;
  return Object.fromEntries(stored.map((one: Item) => [idOf(one), one]));
}

/** The fields in which two states differ, in whichever item; the order of lists has no meaning here. */
function changedKeys(before: Readonly<Record<string, Item>>, after: Readonly<Record<string, Item>>): string[] {
  const inOrder = (_key: string, value: unknown) =>
    Array.isArray(value) ? value.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)) : value;
  const textOf = (value: unknown) => canonicalJson(JSON.parse(JSON.stringify(value ?? null, inOrder)));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const [old = {}, now = {}] = [before[id], after[id]];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return names.filter((name) => textOf(old[name]) !== textOf(now[name]));
  });
}

function actionsOf(result: PlanResult, tolerated: readonly string[] = []): readonly Action[] {
  if (!('plan' in result)) return expect.fail(JSON.stringify(result));
  const unexpected = result.plan.findings.filter(
    ({ code, severity }) =>
      severity !== 'note' && ![...tolerated, 'LIVE_SECRET_NOT_COMPARED', 'LIVE_NEAR_NAME'].includes(code),
  );
  expect(unexpected).toEqual([]);
  return result.plan.actions;
}

/** The same with its items, and the fields of each object, in another order. */
function shuffled(value: unknown, chosen: number): unknown {
  const turned = <One>(all: readonly One[]) => [
    ...all.slice(chosen % all.length),
    ...all.slice(0, chosen % all.length),
  ];
  if (!isRecord(value)) return value;
  return Object.fromEntries(turned(Object.entries(value)).map(([name, one]) => [name, shuffled(one, chosen)]));
}

/**
 * A section as two layers. Each field is in one of them, or in both: then the first one has the value of another section, which
 * does not count. What identifies an item, and what files require, is in both; of an object with fixed fields, each layer has
 * some.
 */
function inLayers(
  { name: ofKind, identity, isSingle, layering }: AnyKind,
  sections: readonly Section[],
  chosen: number,
) {
  const schema = publishedSchema(ofKind.replaceAll('_', '-'));
  const isIn = (name: string) => Number.parseInt(fingerprint([name, chosen]).slice(-2), 16) % 3;
  const split = (key: string, item: Item, decoy: Item): Item[] => {
    const needed = requiredFields(schema, key);
    const isNeeded = (name: string) => identity.includes(name) || needed.includes(name);
    const partOf = (name: string, value: unknown, only: number) => {
      const fields = isRecord(value) ? layering?.(key)([name], item) : null;
      if (!fields || isIn(name) !== 2) return [name, value] as const;
      const members = Object.entries(Object(value)).filter(
        ([member]) => fields[member]?.required || isIn(`${name}.${member}`) % 2 === only,
      );
      return [name, Object.fromEntries(members)] as const;
    };
    const own = (only: number) =>
      Object.entries(item).flatMap(([name, value]) =>
        isNeeded(name) || isIn(name) !== only ? [partOf(name, value, only)] : [],
      );
    const first = own(1).map(([name, value]) =>
      isIn(name) === 2 && !isNeeded(name) && !isRecord(value) ? [name, decoy[name] ?? value] : [name, value],
    );
    return [Object.fromEntries(first), Object.fromEntries(own(0))];
  };
  const [section = [], other = []] = sections;
  if (isSingle) return split('', section as Item, other as Item) as Section[];
  const decoys = Object.fromEntries(membersIn(other));
  const both = membersIn(section).map(([key, item]) => [key, split(key, item, decoys[key] ?? {})] as const);
  return [0, 1].map((layer): Section => {
    const members = both.map(([key, items]) => [key, items[layer] ?? {}] as const);
    return Array.isArray(section) ? members.map(([, item]) => item) : Object.fromEntries(members);
  });
}

const summaryOf = ({ action, key, changes, request }: Action) => ({ action, key, changes, body: request.body });

/** Fields are shown in the order of the files. */
const inAnyOrder = ({ changes = [], ...action }: Action) =>
  summaryOf({ ...action, changes: changes.toSorted((one, other) => (one.field < other.field ? -1 : 1)) });

describe.each(described)('$name', (kind) => {
  const runs = (cases: number) => propertyRuns(cases * 10, cases);
  const options = { timeout: 120_000 };

  /** Runs a law on a tenant of its own for each case. Those that a rule of the service or of a schema refuses are left out. */
  async function law<Values extends readonly [unknown, ...unknown[]]>(
    arbitraries: { readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
    cases: number,
    check: (scene: Scene, ...values: Values) => Promise<boolean>,
  ): Promise<void> {
    let accepted = 0;
    refusals.clear();
    await fc.assert(
      fc.asyncProperty(fc.tuple(...(arbitraries as readonly fc.Arbitrary<unknown>[])), async (values) => {
        const scene = await openScene(kind);
        try {
          if (await check(scene, ...(values as unknown as Values))) accepted += 1;
        } finally {
          await scene.close();
        }
      }),
      { ...runs(cases), endOnFailure: true },
    );
    expect(accepted, ['cases that were accepted; refused:', ...refusals].join('\n')).toBeGreaterThan(cases / 10);
  }

  test('what is applied is in sync, and what is pulled as well, without a secret', options, async () => {
    await law([sectionOf(kind)], 25, async (scene, section) => {
      if (!isDone(await scene.apply(section))) return false;
      expect(actionsOf(await scene.plan(section)).map(summaryOf)).toEqual([]);
      const files = await scene.pull();
      expect(actionsOf(await scene.planFiles(files)).map(summaryOf)).toEqual([]);
      expect(Object.values(files).join()).not.toContain('planted');
      return true;
    });
  });

  test('one field alone is one request, and the tenant has nothing else of the item changed', options, async () => {
    const choice = fc.nat();
    await law([sectionOf(kind, 1), sectionOf(kind, 1, false), choice], 40, async (scene, first, second, chosen) => {
      const pair = withOneField(kind, first, second, chosen);
      if (pair === null || !isDone(await scene.apply(first))) return false;
      const before = rawItemsOf(kind, scene.stored());
      const result = await scene.plan(pair.section);
      if (result.status === 'invalid') return false;
      const planned = actionsOf(result, ['LIVE_DIFFERENT']);
      // An item that is replaced, as a destination of another type is, is another one.
      if (planned.length === 0 || planned.some(({ action }) => action === 'create')) return false;
      if (!isDone(await scene.apply(pair.section))) return false;
      const sets = planned.filter(({ action }) => action === 'add' || action === 'remove');
      expect(planned.length - sets.length).toBeLessThanOrEqual(1);
      expect(new Set(sets.map(({ action }) => action)).size).toBe(sets.length);
      expect(
        changedKeys(before, rawItemsOf(kind, scene.stored())).filter((key) => !bookkeeping.includes(key)),
      ).toHaveLength(1);
      return true;
    });
  });

  test('a kind that cannot be read has no action', options, async () => {
    await law([sectionOf(kind)], 12, async (scene, section) => {
      if (!isDone(await scene.apply(section))) return false;
      const result = await scene.planWithout(section);
      const plan = 'plan' in result ? result.plan : expect.fail(JSON.stringify(result));
      expect(plan.actions).toEqual([]);
      expect(plan.complete).toBe(false);
      return true;
    });
  });

  test('one state follows another', options, async () => {
    await law([sectionOf(kind), sectionOf(kind)], 20, async (scene, first, second) => {
      if (!isDone(await scene.apply(first))) return false;
      if (!isDone(await scene.apply(second))) return false;
      expect(actionsOf(await scene.plan(second)).map(summaryOf)).toEqual([]);
      return true;
    });
  });

  test('the order of items and of fields is no difference', options, async () => {
    await law([sectionOf(kind), fc.nat(7)], 8, async (scene, section, chosen) => {
      if (!isDone(await scene.apply(section))) return false;
      const items = Array.isArray(section) ? section.toReversed().map((item) => shuffled(item, chosen)) : null;
      const turned = (items ?? shuffled(section, chosen)) as Section;
      expect(actionsOf(await scene.plan(turned)).map(summaryOf)).toEqual([]);
      return true;
    });
  });

  test('two layers are planned as what they are together', options, async () => {
    const sections = [sectionOf(kind), sectionOf(kind), sectionOf(kind)] as const;
    await law([...sections, fc.nat(1000)], 16, async (scene, live, section, other, chosen) => {
      if (!isDone(await scene.apply(live))) return false;
      const together = await scene.plan(section);
      if (together.status === 'invalid') return false;
      // A value of the other section may not fit beside what the first layer has.
      const mixed = await scene.planLayers(inLayers(kind, [section, other], chosen));
      const layered =
        mixed.status === 'invalid' ? await scene.planLayers(inLayers(kind, [section, section], chosen)) : mixed;
      const actions = actionsOf(layered, ['LIVE_DIFFERENT']);
      const expected = actionsOf(together, ['LIVE_DIFFERENT']);
      expect(actions.map(inAnyOrder)).toEqual(expected.map(inAnyOrder));
      expect(actions.every(({ source }) => source === null || /^[01]\//.test(source.file))).toBe(true);
      return true;
    });
  });

  test('an apply that ended anywhere is completed by the next one', options, async () => {
    const sections = [sectionOf(kind), sectionOf(kind)] as const;
    await law([...sections, fc.integer({ min: 1, max: 4 })], 8, async (scene, first, second, actions) => {
      if (!isDone(await scene.apply(first))) return false;
      await scene.applySome(second, actions);
      if (!isDone(await scene.apply(second))) return false;
      expect(actionsOf(await scene.plan(second)).map(summaryOf)).toEqual([]);
      return true;
    });
  });
});
