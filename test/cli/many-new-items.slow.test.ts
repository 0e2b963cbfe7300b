// Applies of many new items, with complete commands: how often they read the lists, and that nothing is missing afterwards.
import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import type { LoggedRequest } from '../../src/embedded-tenant/request-log.ts';
import { stateFiles } from '../../src/journal/folder-store.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { groupBy } from '../../src/values/group-by.ts';
import { type Random, seededRandom } from '../chaos/random.ts';
import { type Output, readOutput } from '../chaos/read-output.ts';
import { calmTenant, openRecordingTenant, type TenantBehavior } from '../chaos/recording-tenant.ts';
import { startVirtualClock } from '../chaos/virtual-clock.ts';
import { asAdmin, newDatabase } from '../support/postgres.ts';
import { type CommandResult, type RunOptions, runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

/** The plan, what was created and the end, and two more for each time in which a reading gets too old. Measured: 3 to 5. */
const mostPassesIn = (seconds: number, maxStaleness = 10) => 3 + 2 * Math.ceil(seconds / maxStaleness);
/** 150 new roles, a minute: measured are 8 passes over the roles and 7 over the APIs. */
const mostPassesAtQuota = { list_roles: 12, list_resource_servers: 12 };
/** 150 renamed roles, a minute: each is read again before it is overwritten. Measured: 17. */
const mostPassesOfRenames = { list_roles: 24, list_resource_servers: 0 };
/** Five for each decision: the plan, what was created, the end, and what others may have changed since. Measured: 5 to 14. */
const mostMovingPasses = 5 * 4;

type Role = NonNullable<Seed['roles']>[number];
type NewRole = Pick<Role, 'name' | 'description' | 'permissions'>;
type Request = Pick<LoggedRequest, 'operation' | 'method' | 'query' | 'status'>;

const numbers = (count: number) => Array.from({ length: count }, (_empty, index) => index);
const apiOf = (index: number, apis = 1) => `https://api${index % apis}.example/`;
const oldId = (index: number) => `rol_${String(index).padStart(16, '0')}`;

function declaredRole(index: number, apis = 1): NewRole {
  const permission = { resource_server_identifier: apiOf(index, apis), permission_name: `area:${index}` };
  return { name: `Area ${index}`, description: `Area number ${index}`, permissions: [permission] };
}

const declaredRoles = (count: number, apis?: number) => numbers(count).map((index) => declaredRole(index, apis));

/** Every API defines the scopes of the roles, which do not exist yet. */
function apisFor(count: number, apis = 1): Seed {
  const scopesOf = (api: number) => numbers(count).filter((index) => index % apis === api);
  return {
    resource_servers: numbers(apis).map((api) => ({
      id: `5f000000000000000000000${api}`,
      identifier: apiOf(api, apis),
      scopes: scopesOf(api).map((index) => ({ value: `area:${index}` })),
    })),
  };
}

const oldRoles = (count: number): Seed => ({
  ...apisFor(count),
  roles: numbers(count).map((index) => ({ ...declaredRole(index), id: oldId(index), name: `Old area ${index}` })),
});

const oldStream = (index: number): NonNullable<Seed['event_streams']>[number] => ({
  id: `est_${String(index).padStart(22, 'a')}`,
  name: `old-${index}`,
  status: 'enabled',
  subscriptions: [{ event_type: 'user.created' }],
  destination: { type: 'webhook', configuration: { webhook_endpoint: `https://crm.example/${index}` } },
});

const renamedStream = (index: number) => `  - name: new-${index}
    renamed_from: old-${index}
    subscriptions: [{ event_type: user.created }]
    destination: { type: webhook, configuration: { webhook_endpoint: https://crm.example/${index} } }
`;

function rolesYaml(count: number, { apis = 1, renamed = false } = {}): string {
  const lines = numbers(count).map((index) => {
    const from = renamed ? `renamed_from: Old area ${index}, ` : '';
    const permissions = `permissions: { ${apiOf(index, apis)}: [area:${index}] }`;
    return `  - { name: Area ${index}, ${from}description: Area number ${index}, ${permissions} }\n`;
  });
  return `roles:\n${lines.join('')}`;
}

/** Passes over a complete list, by their first page. */
function passes(requests: readonly Request[], operation: string): number {
  const isFirst = ({ query }: Request) => !/[?&](?:name_filter=|from=|page=[1-9])/.test(query);
  return requests.filter((request) => request.operation === operation && isFirst(request)).length;
}

const isRefused = ({ status }: Request) => status === 429;

/** How often each write was sent. */
function writes(requests: readonly Request[]): Readonly<Record<string, number>> {
  const sent = requests.filter(({ operation, method }) => method !== 'GET' && operation !== 'token');
  const byOperation = groupBy(sent, ({ operation }) => operation ?? 'unknown');
  return Object.fromEntries([...byOperation].map(([operation, all]) => [operation, all.length]));
}

const lists = ['list_roles', 'list_resource_servers', 'list_event_streams'] as const;

/** It succeeded, and read no list more often than it may. */
function expectFew({ code, requests, seconds }: Ran, maxStaleness?: number): void {
  expect(code).toBe(0);
  for (const list of lists)
    expect(passes(requests, list), list).toBeLessThanOrEqual(mostPassesIn(seconds, maxStaleness));
}

/** Each declared role is there once, with its permissions, and nothing else but what `isLeftOut` names. */
function expectRoles(
  state: Seed,
  declared: readonly NewRole[],
  isLeftOut: (role: Role) => boolean = () => false,
): void {
  const byName = (one: NewRole, other: NewRole) => (one.name < other.name ? -1 : 1);
  const live = state.roles?.filter((role) => !isLeftOut(role)).map(({ id: _id, ...role }) => role) as NewRole[];
  expect(live?.toSorted(byName)).toEqual(declared.toSorted(byName));
}

interface Ran extends CommandResult {
  /** Those of this command. */
  readonly requests: readonly Request[];
  /** By its clock. */
  readonly seconds: number;
}

/** A tenant on a socket, on the clock of the system. */
async function realTenant(seed: Seed) {
  const all: LoggedRequest[] = [];
  const { tenant, baseUrl, env } = await tenantWith(seed, { onRequest: (request) => all.push(request) });
  const run = async (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const began = performance.now();
    const result = await runCommand(argv, { ...options, env: { ...env, ...options.env }, clock: systemClock });
    return { ...result, requests: all.splice(0), seconds: (performance.now() - began) / 1000 };
  };
  return { baseUrl, snapshot: tenant.snapshot, run };
}

/** A tenant on a socket, on a clock that it shares with the command: waiting takes no time, and no time passes while anybody works. */
async function virtualTenant(seed: Seed, behavior: Partial<TenantBehavior> = {}) {
  const clock = startVirtualClock(Date.UTC(2026, 10, 20, 10), seededRandom(1));
  const recording = await openRecordingTenant({ clients: [testClient], ...seed }, clock, seededRandom(2));
  onTestFinished(() => recording.close());
  await recording.open({ ...calmTenant, latencyMs: 30, ...behavior });
  const env = {
    TENANT_SYNC_BASE_URL: recording.baseUrl,
    TENANT_SYNC_CLIENT_ID: testClient.client_id,
    TENANT_SYNC_CLIENT_SECRET: testClient.client_secret,
  };
  const run = async (argv: readonly string[]): Promise<Ran> => {
    const began = clock.now();
    const result = await runCommand(argv, { env, clock: clock.command });
    const seconds = (clock.now() - began) / 1000;
    await clock.drained();
    const requests = recording.takeSteps().filter((step) => step.type === 'request');
    return { ...result, requests, seconds };
  };
  return { ...recording, run };
}

describe('on an empty tenant', () => {
  test.each([
    [300, 1],
    [741, 2],
  ])('%i new roles, APIs: %i', { timeout: 120_000 }, async (count, apis) => {
    const { run, snapshot } = await realTenant(apisFor(count, apis));
    const path = await folder({ 'roles.yaml': rolesYaml(count, { apis }) });
    expectFew(await run(['apply', path, '--yes']));
    expectRoles(snapshot(), declaredRoles(count, apis));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });
});

describe('at 10 requests a second', () => {
  const rate = { perSecond: 10, burst: 20 };

  test.each([
    ['new', apisFor(150), mostPassesAtQuota],
    ['renamed', oldRoles(150), mostPassesOfRenames],
  ] as const)('150 %s roles: few passes, and no refusal', async (what, seed, most) => {
    const { run, snapshot } = await virtualTenant(seed, { rate });
    const path = await folder({ 'roles.yaml': rolesYaml(150, { renamed: what === 'renamed' }) });
    const { code, requests } = await run(['apply', path, '--yes']);
    expect({ code, refused: requests.filter(isRefused).length }).toEqual({ code: 0, refused: 0 });
    expect(passes(requests, 'list_roles')).toBeGreaterThan(1);
    for (const [list, bound] of Object.entries(most)) expect(passes(requests, list), list).toBeLessThanOrEqual(bound);
    expectRoles(snapshot(), declaredRoles(150));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });

  test.each([
    ['new', apisFor(60)],
    ['renamed', oldRoles(60)],
  ] as const)('60 %s roles, with readings of a second', async (what, seed) => {
    const { run, snapshot } = await virtualTenant(seed, { rate });
    const path = await folder({ 'roles.yaml': rolesYaml(60, { renamed: what === 'renamed' }) });
    expectFew(await run(['apply', path, '--yes', '--max-staleness', '1']), 1);
    expectRoles(snapshot(), declaredRoles(60));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });
});

describe('120 items', () => {
  const count = 120;
  const newRoles = rolesYaml(count);

  test('new roles, from a saved plan', async () => {
    const { run, snapshot } = await realTenant(apisFor(count));
    const cwd = await folder({ 'roles.yaml': newRoles });
    expect(await run(['plan', '--out', 'plan.json'], { cwd })).toMatchObject({ code: 0 });
    expectFew(await run(['apply', '--plan', 'plan.json', '--yes'], { cwd }));
    expectRoles(snapshot(), declaredRoles(count));
    expect(await run(['plan', '--exit-code'], { cwd })).toMatchObject({ code: 0 });
  });

  test('new roles, on two tenants of a project', async () => {
    const live = { one: apisFor(count), two: apisFor(count) };
    const { cwd, env, tenants } = await startFleet({ files: { 'base/roles.yaml': newRoles }, live });
    const run = (...argv: readonly string[]) => runCommand(argv, { cwd, env, clock: systemClock });
    const began = performance.now();
    const result = await run('apply', '.', '--all', '--yes');
    const seconds = (performance.now() - began) / 1000;
    for (const { tenant } of tenants.values()) {
      expectFew({ ...result, requests: tenant.requests, seconds });
      expectRoles(tenant.snapshot(), declaredRoles(count));
    }
    expect(await run('plan', '.', '--all', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('new roles, with readings of a second', async () => {
    const { run, snapshot } = await realTenant(apisFor(count));
    const path = await folder({ 'roles.yaml': newRoles });
    expectFew(await run(['apply', path, '--yes', '--max-staleness', '1']), 1);
    expectRoles(snapshot(), declaredRoles(count));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });

  test('new roles, with the state in a folder', async () => {
    const { run, snapshot, baseUrl } = await realTenant(apisFor(count));
    const path = await folder({ 'roles.yaml': newRoles });
    const state = await folder({});
    expectFew(await run(['apply', path, '--yes', '--state-dir', state]));
    expect(existsSync(stateFiles(state, baseUrl).journal)).toBe(true);
    expectRoles(snapshot(), declaredRoles(count));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });

  test('new roles, with the state in a database', async () => {
    const url = await newDatabase();
    const { run, snapshot } = await realTenant(apisFor(count));
    const path = await folder({ 'roles.yaml': newRoles });
    expectFew(await run(['apply', path, '--yes'], { env: { TENANT_SYNC_STATE_URL: url } }));
    expect(await asAdmin(url, 'select distinct name from tenant_sync.texts')).toHaveLength(1);
    expectRoles(snapshot(), declaredRoles(count));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });

  test('renamed roles', async () => {
    const { run, snapshot } = await realTenant(oldRoles(count));
    const path = await folder({ 'roles.yaml': rolesYaml(count, { renamed: true }) });
    const ran = await run(['apply', path, '--yes']);
    expectFew(ran);
    expect(writes(ran.requests)).toEqual({ update_role: count });
    expectRoles(snapshot(), declaredRoles(count));
    const ids = new Map(snapshot().roles?.map(({ name, id }) => [name, id]));
    expect(ids).toEqual(new Map(numbers(count).map((index) => [`Area ${index}`, oldId(index)])));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });

  test('renamed event streams', async () => {
    const { run, snapshot } = await realTenant({ event_streams: numbers(count).map(oldStream) });
    const path = await folder({ 'streams.yaml': `event_streams:\n${numbers(count).map(renamedStream).join('')}` });
    const ran = await run(['apply', path, '--yes']);
    expectFew(ran);
    expect(writes(ran.requests)).toEqual({ update_event_stream: count });
    const ids = new Map(snapshot().event_streams?.map(({ name, id }) => [name, id]));
    expect(ids).toEqual(new Map(numbers(count).map((index) => [`new-${index}`, oldStream(index).id])));
    expect(await run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });
});

describe('another client creates, renames and deletes other roles', () => {
  test.each([
    ['at each request', 1, 'read', 40],
    ['at each request from the first write on', 1, 'write', 150],
    ['at every third request', 3, 'read', 100],
  ] as const)('%s', async (_when, every, from, count) => {
    const others = numbers(130).map((index) => ({ id: oldId(index), name: `${places[index % 5]} other ${index}` }));
    const tenant = await virtualTenant({ ...apisFor(count), roles: others });
    const path = await folder({ 'roles.yaml': rolesYaml(count) });
    const random = seededRandom(3);
    let isMoving = from === 'read';
    tenant.listen({
      performed: async ({ request, write }) => {
        isMoving ||= write !== null;
        if (isMoving && request % every === 0) await tenant.change(({ roles = [] }) => move(random, roles, others));
      },
    });
    const first = await tenant.run(['apply', path, '--yes', '--format', 'json']);
    tenant.listen({});
    const isAllDone = expectTold(first.code, readOutput(first.stdout), tenant.snapshot());
    if (isAllDone) expectRoles(tenant.snapshot(), declaredRoles(count), isOther);
    // At each request, it may be that no plan is made.
    if (every > 1 || from === 'write') expect(isAllDone).toBe(true);
    expect(passes(first.requests, 'list_roles')).toBeLessThanOrEqual(mostMovingPasses);

    const second = await tenant.run(['apply', path, '--yes']);
    expect(second.code).toBe(0);
    expectRoles(tenant.snapshot(), declaredRoles(count), isOther);
    expect(tenant.snapshot().roles?.filter(isOther).toSorted(byId)).toEqual(others.toSorted(byId));
    // Each role is created once, and nothing is deleted.
    const sent = [...first.requests, ...second.requests];
    expect(writes(sent)).toEqual({ create_role: count, add_role_permissions: count });
    expect(await tenant.run(['plan', path, '--exit-code'])).toMatchObject({ code: 0 });
  });
});

/** Before, between and after the declared roles: what changes there moves the declared ones to other pages. */
const places = ['A', 'Area 1', 'Area 5', 'B', 'Z'] as const;
const isOther = ({ name }: Pick<Role, 'name'>) => name.includes(' other ');
const byId = (one: Pick<Role, 'id'>, other: Pick<Role, 'id'>) => (one.id < other.id ? -1 : 1);

/** Changes one of the other roles, and keeps a record of it in `others`. */
function move(random: Random, roles: Role[], others: Pick<Role, 'id' | 'name'>[]): void {
  const name = `${random.pick(places)} other ${random.int(0, 1e9)}`;
  const what = others.length < 110 ? 'create' : random.pick(['create', 'rename', 'rename', 'delete']);
  if (what === 'create') {
    const id = `rol_f${random.int(1e14, 9e14)}`;
    roles.push({ id, name });
    others.push({ id, name });
    return;
  }
  const index = random.int(0, others.length - 1);
  const place = roles.findIndex(({ id }) => id === others[index]?.id);
  const role = roles[place];
  if (role === undefined) throw new Error('a role of the other client is gone');
  if (what === 'delete') {
    roles.splice(place, 1);
    others.splice(index, 1);
  } else {
    role.name = name;
    others.splice(index, 1, { id: role.id, name });
  }
}

/** What is not done is reported with a reason, and what is done is there. Returns whether everything is. */
function expectTold(code: number, { plan, outcomes }: Output, state: Seed): boolean {
  const byOutcome = groupBy(outcomes ?? [], ({ outcome }) => (outcome === 'done' ? 'done' : 'open'));
  const open = byOutcome.get('open') ?? [];
  expect(open.filter(({ message }) => !message)).toEqual([]);
  const done = new Set(byOutcome.get('done')?.map(({ id }) => id));
  for (const { id, key, action } of plan?.actions ?? []) {
    const { permissions, ...fields } = declaredRole(Number(key.replace('Area ', '')));
    const expected = action === 'create' ? fields : { ...fields, permissions };
    if (done.has(id)) expect(state.roles?.filter(({ name }) => name === key)).toMatchObject([expected]);
  }
  const isAllDone = plan?.actions.length === done.size && done.size > 0;
  if (isAllDone) expect(code).toBe(0);
  else {
    expect([1, 4]).toContain(code);
    const reasons = [...open, ...(plan?.findings ?? [])].map(({ message }) => message);
    expect(reasons).toContainEqual(expect.stringContaining('list_roles: the list changed each of the 5 times'));
  }
  return isAllDone;
}
