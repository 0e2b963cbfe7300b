/** A tenant and the files for it, of all kinds: mostly alike, so that most requests are about few differences. */
import type { Seed } from '../../src/model/seed.generated.ts';
import { type ApplicationsScenario, makeApplications, providerSecret } from './applications.ts';
import type { Meaning, MeantPartials, MeantRole, MeantStream } from './meaning.ts';
import { pairName } from './meaning.ts';
import type { Random } from './random.ts';

export interface Scenario {
  readonly live: Seed;
  readonly meaning: Meaning;
  /** By relative path. */
  readonly files: Readonly<Record<string, string>>;
  /** What requests may carry as secrets. */
  readonly environment: Readonly<Record<string, string>>;
}

type SeededRole = NonNullable<Seed['roles']>[number];
type Pair = NonNullable<SeededRole['permissions']>[number];

export const streamSecret = 'planted stream secret/+"';

const prompts = ['login', 'signup', 'login-id', 'signup-id'];
const points = ['form-content-start', 'form-content-end', 'form-footer-start', 'secondary-actions-end'];
const events = ['user.created', 'user.deleted', 'user.updated'];
const kinds = ['rate_limit_policies', 'roles', 'prompts', 'event_streams'] as const;

export function makeScenario(random: Random): Scenario {
  const api = random.chance(0.8) ? 'full' : 'documented';
  const policies = makePolicies(random.branch('policies'));
  const apis = makeApis(random.branch('apis'), api);
  const roles = addRoles(
    makeRoles(random.branch('roles'), api),
    makeOwnRoles(random.branch('own roles'), api, apis.added),
  );
  const partials = makePrompts(random.branch('prompts'));
  const streams = makeStreams(random.branch('streams'));
  const header = makeHeader(random.branch('header'), policies.names, streams.names);
  const applications = makeApplications(random.branch('applications'), api, { ...apis, there: makePairs(130) });
  const isThere = () => random.chance(0.9);
  const anchored = addAnchored(random.branch('anchored'), policies, applications?.anchor ?? null);
  const meaning: Meaning = {
    api,
    policies: isThere() ? anchored.meant : null,
    roles: isThere() ? roles.meant : null,
    prompts: isThere() ? partials.meant : null,
    streams: isThere() ? streams.meant : null,
    apis: apis.meant,
    applications: applications?.meant ?? null,
    protect: header.protect,
    keep: header.keep,
  };
  const sections = {
    'tenant.yaml': { tenant: { api, ...header.written } },
    'policies.yaml': meaning.policies && { rate_limit_policies: anchored.written },
    'roles.yaml': meaning.roles && { roles: roles.written },
    'prompts.yaml': meaning.prompts && { prompts: partials.written },
    'apis.yaml': meaning.apis && { resource_servers: apis.written },
    'streams.yaml': meaning.streams && { event_streams: streams.written },
    'applications.yaml': applications?.written ?? null,
  };
  const files = Object.entries(sections).flatMap(([file, section]) =>
    section === null ? [] : [[file, `${JSON.stringify(section, null, 2)}\n`] as const],
  );
  return {
    live: {
      rate_limit_policies: anchored.live,
      roles: roles.live,
      prompts: partials.live,
      event_streams: streams.live,
      ...(meaning.apis && { resource_servers: apis.live }),
      ...applications?.live,
    },
    meaning,
    files: { ...Object.fromEntries(files), ...(meaning.prompts && partials.texts) },
    environment: { TENANT_VAR_STREAM_SECRET: streamSecret, TENANT_VAR_PROVIDER_SECRET: providerSecret },
  };
}

function makeHeader(random: Random, selectors: readonly string[], streams: readonly string[]) {
  const guards = random.pick([
    null,
    { max_delete_percent: 0, max_delete_count: 1 },
    { max_delete_percent: 100, max_delete_count: 1000 },
    { max_delete_percent: 100, max_delete_count: 1000 },
  ]);
  const protect = random.chance(0.2)
    ? {
        rate_limit_policies: random.some(selectors, 0.2),
        event_streams: random.some(streams, 0.3),
        roles: random.some(['rol_0'], 0.5),
      }
    : {};
  const keep = random.chance(0.1) ? random.some(kinds, 0.4) : [];
  const undeclared = Object.fromEntries(keep.map((kind, index) => [kind, index % 2 === 0 ? 'report' : 'ignore']));
  return { protect, keep, written: { ...(guards && { guards }), protect, undeclared } };
}

const triple = { resource: 'oauth_authentication_api', consumer: 'client' } as const;

function makePolicies(random: Random) {
  const isLarge = random.chance(0.06);
  const names = isLarge
    ? Array.from({ length: random.int(101, 230) }, (_none, index) => `client_id:many-${index}`)
    : random.some(
        [
          'default',
          'cimd_clients',
          'third_party_clients',
          ...Array.from({ length: 10 }, (_none, index) => `client_id:c${index}`),
        ],
        0.6,
      );
  const live: NonNullable<Seed['rate_limit_policies']> = [];
  const meant: Record<string, ReturnType<typeof makeConfiguration>> = {};
  const few = isLarge ? 0.02 : 0.2;
  for (const selector of names) {
    const configuration = makeConfiguration(random);
    const id = `rlp_${random.int(100_000, 999_999)}${live.length}`;
    const isMissing = random.chance(few);
    if (!isMissing) live.push({ id, ...triple, consumer_selector: selector, configuration });
    if (!isMissing && random.chance(0.01))
      live.push({ id: `${id}x`, ...triple, consumer_selector: selector, configuration: makeConfiguration(random) });
    if (isMissing || !random.chance(few))
      meant[selector] = random.chance(few) ? makeConfiguration(random) : configuration;
  }
  const written = Object.entries(meant).map(([consumer_selector, configuration]) => ({
    ...triple,
    consumer_selector,
    configuration,
  }));
  return { names, live, meant, written };
}

type Policies = Pick<ReturnType<typeof makePolicies>, 'live' | 'meant' | 'written'>;

/** A policy that names its client. */
function addAnchored(random: Random, policies: Policies, anchor: ApplicationsScenario['anchor']): Policies {
  if (anchor === null || !random.chance(0.5)) return policies;
  const consumer_selector = `client_id:${anchor.id}`;
  const configuration = makeConfiguration(random);
  const old = random.chance(0.5) ? configuration : makeConfiguration(random);
  const isLive = random.chance(0.6);
  const item = { id: 'rlp_anchored', ...triple, consumer_selector, configuration: old };
  return {
    live: [...policies.live, ...(isLive ? [item] : [])],
    meant: { ...policies.meant, [consumer_selector]: configuration },
    written: [
      ...policies.written,
      { resource: triple.resource, consumer: triple.consumer, client: anchor.name, configuration } as never,
    ],
  };
}

function makeConfiguration(random: Random) {
  const limit = random.int(0, 2);
  const action = random.pick(['allow', 'block', 'log', 'redirect'] as const);
  if (action === 'allow') return { action };
  return action === 'redirect' ? { action, limit, redirect_uri: 'https://a.example/slow' } : { action, limit };
}

function makeRoles(random: Random, api: Meaning['api']) {
  const count = random.chance(0.04) ? random.int(20, 40) : random.int(0, 4);
  const live: SeededRole[] = [];
  const meant: MeantRole[] = [];
  const written: object[] = [];
  for (let index = 0; index < count; index += 1) {
    const universe = makePairs(random.chance(0.04) ? 130 : 6);
    const role = { id: `rol_${index}`, name: `Role ${index}` };
    const held = random.some(universe, 0.6);
    live.push({ ...role, permissions: held });
    if (random.chance(0.15)) continue;
    const few = universe.length > 100 ? 0.03 : 0.2;
    const wanted = random.chance(0.2) ? null : universe.filter((pair) => held.includes(pair) !== random.chance(few));
    const absent =
      random.chance(0.4) || wanted === null ? random.some(universe, 0.2).filter((pair) => !wanted?.includes(pair)) : [];
    // A role that declares nothing is an error.
    if (wanted === null && absent.length === 0) continue;
    const isByName = api === 'full' && random.chance(0.5);
    meant.push({
      id: isByName ? null : role.id,
      name: role.name,
      permissions: wanted?.map(pairName) ?? null,
      absent: absent.map(pairName),
    });
    written.push({
      ...(isByName ? { name: role.name } : { id: role.id }),
      ...(wanted && { permissions: wanted }),
      ...(absent.length > 0 && { absent_permissions: absent }),
    });
  }
  return { live, meant, written };
}

type Roles = ReturnType<typeof makeRoles>;

function addRoles(some: Roles, more: Roles): Roles {
  return {
    live: [...some.live, ...more.live],
    meant: [...some.meant, ...more.meant],
    written: [...some.written, ...more.written],
  };
}

/** Roles are listed by name: what a run creates and renames moves all others. */
const letters = [...'ACFMPTXZ'];

/**
 * Roles that the run creates, renames or changes, and others between them; sometimes more than a page of them. `added` is
 * what the run adds to the APIs.
 */
function makeOwnRoles(random: Random, api: Meaning['api'], added: readonly Pair[]): Roles {
  const roles: Roles = { live: [], meant: [], written: [] };
  const isLarge = random.chance(0.13);
  if (api !== 'full' || !(isLarge || random.chance(0.75))) return roles;
  const { live, meant, written } = roles;
  const count = isLarge ? random.int(101, 130) : random.int(1, 6);
  const universe = makePairs(6);
  const fates = random.pick([
    ['new'],
    ['new', 'new', 'new', 'renamed', 'there'],
    ['new', 'renamed', 'renamed', 'renamed', 'there'],
  ] as const);
  for (let index = 0; index < count; index += 1) {
    const name = `${random.pick(letters)} Area ${index}`;
    const description = `covers area ${index}`;
    const wanted = [...random.some(universe, 0.3), ...random.some(added, 0.3)];
    const fate = random.pick(fates);
    const old = fate === 'renamed' ? `${random.pick(letters)} Old ${index}` : name;
    if (fate !== 'new')
      live.push({
        id: `rol_o${random.int(10_000, 99_999)}${index}`,
        name: old,
        description: random.chance(0.8) ? description : 'as it was',
        permissions: random.chance(0.7) ? wanted.filter((pair) => !added.includes(pair)) : random.some(universe, 0.3),
      });
    const renamed = fate === 'renamed' || (fate === 'there' && random.chance(0.2));
    const from = fate === 'renamed' ? old : `${name} once`;
    meant.push({
      id: null,
      name,
      description,
      permissions: wanted.map(pairName),
      absent: [],
      ...(renamed && { renamedFrom: from }),
    });
    written.push({ name, description, permissions: wanted, ...(renamed && { renamed_from: from }) });
  }
  for (let index = 0; index < count / 5; index += 1)
    live.push({ id: `rol_x${index}`, name: `${random.pick(letters)} Other ${index}`, permissions: [] });
  return roles;
}

function makePairs(count: number): Pair[] {
  return Array.from({ length: count }, (_none, index) => ({
    resource_server_identifier: identifiers[index % 2] ?? '',
    permission_name: `p${index}`,
  }));
}

const identifiers = ['https://api0.example/', 'https://api1.example/'];

/** The APIs of all permissions, which lack some of the scopes that the files declare and give to roles. */
function makeApis(random: Random, api: Meaning['api']) {
  const isThere = api === 'full' && random.chance(0.7);
  const added = !isThere
    ? []
    : identifiers.flatMap((resource_server_identifier) =>
        Array.from({ length: random.int(1, 3) }, (_none, index) => ({
          resource_server_identifier,
          permission_name: `added-${index}`,
        })),
      );
  const scopesIn = (pairs: readonly Pair[], identifier: string) =>
    pairs
      .filter(({ resource_server_identifier }) => resource_server_identifier === identifier)
      .map(({ permission_name }) => ({ value: permission_name }));
  const known = makePairs(130);
  const live = identifiers.map((identifier, index) => ({
    id: `00000000000000000000000${index}`,
    name: `API ${index}`,
    identifier,
    scopes: scopesIn(known, identifier),
  }));
  const written = identifiers.map((identifier) => ({ identifier, scopes: scopesIn([...known, ...added], identifier) }));
  return { added, live, written, meant: isThere ? identifiers : null };
}

function makePrompts(random: Random) {
  const live: Record<string, { partials: Record<string, Record<string, string>> }> = {};
  const meant: Record<string, MeantPartials> = {};
  const written: Record<string, object> = {};
  const texts: Record<string, string> = {};
  for (const prompt of random.some(prompts, 0.5)) {
    const held = makePoints(random);
    live[prompt] = { partials: Object.keys(held).length === 0 ? {} : { [prompt]: held } };
    if (random.chance(0.1)) continue;
    const wanted = random.chance(0.5) ? held : makePoints(random);
    meant[prompt] = Object.keys(wanted).length === 0 ? {} : { [prompt]: wanted };
    const places = Object.entries(wanted).map(([point, text]) => {
      if (!random.chance(0.3)) return [point, text];
      texts[`partials/${prompt}-${point}.liquid`] = text;
      return [point, { file: `partials/${prompt}-${point}.liquid` }];
    });
    written[prompt] = { partials: places.length === 0 ? {} : { [prompt]: Object.fromEntries(places) } };
  }
  return { live, meant, written, texts };
}

function makePoints(random: Random): Record<string, string> {
  return Object.fromEntries(
    random
      .some(points, 0.5)
      .map((point) => [point, random.pick(['<b>hello</b>', 'x', 'ü\n\n  two lines', '{{ client.name }}'])]),
  );
}

function makeStreams(random: Random) {
  const live: NonNullable<Seed['event_streams']> = [];
  const meant: MeantStream[] = [];
  const written: object[] = [];
  const names = random.some(['users', 'logins', 'audit', 'crm'], 0.5);
  for (const name of names) {
    const found = makeStream(random, name);
    const isMissing = random.chance(0.25);
    if (!isMissing) live.push({ id: `est_${random.int(1000, 9999)}${live.length}`, ...found.shown });
    if (!isMissing && random.chance(0.2)) continue;
    const wanted = random.chance(0.5) ? found : makeStream(random, name);
    meant.push({
      name,
      events: wanted.shown.subscriptions.map(({ event_type }) => event_type),
      status: wanted.shown.status,
      destination: wanted.shown.destination,
    });
    written.push(wanted.written);
  }
  return { names, live, meant, written };
}

/** As the tenant shows it, and as files write it. */
function makeStream(random: Random, name: string) {
  const chosen = random.some(events, 0.5);
  const subscriptions = (chosen.length > 0 ? chosen : events).map((event_type) => ({ event_type }));
  const status = random.pick(['enabled', 'disabled']);
  const isBridge = random.chance(0.2);
  const [shown, secret] = random.pick([
    [{ method: 'basic', username: random.pick(['crm', 'other']) }, 'password'],
    [{ method: 'bearer' }, 'token'],
    [{ method: 'custom_header', header_key: 'X-Key' }, 'header_value'],
  ] as const);
  const webhook_endpoint = random.pick(['https://a.example/hook', 'https://b.example/hook']);
  const bridge = { type: 'eventbridge', configuration: { aws_account_id: '123456789012', aws_region: 'eu-west-1' } };
  const destination = isBridge
    ? bridge
    : { type: 'webhook', configuration: { webhook_endpoint, webhook_authorization: shown } };
  const declared = isBridge
    ? bridge
    : {
        type: 'webhook',
        configuration: {
          webhook_endpoint,
          webhook_authorization: { ...shown, [secret]: '${env:TENANT_VAR_STREAM_SECRET}' },
        },
      };
  return {
    shown: { name, status, subscriptions, destination },
    written: { name, status, subscriptions, destination: declared },
  };
}
