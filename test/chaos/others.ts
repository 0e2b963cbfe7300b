/** What another client does to the tenant during a run. */
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { memberOf } from '../../src/values/json-pointer.ts';
import { anchorId } from './applications.ts';
import { pairsOf, roleOf } from './checks/access.ts';
import { isApplication } from './checks/applications.ts';
import { createdIdentity, identityOf, itemsOf } from './checks/steps-and-items.ts';
import { pairName } from './meaning.ts';
import type { Random } from './random.ts';

type Policy = NonNullable<Seed['rate_limit_policies']>[number];
type Stream = NonNullable<Seed['event_streams']>[number];

/** Any change. What the files name by itself, such as a role by its id, stays. */
export function changeAnything(random: Random, state: Seed): void {
  const policies = state.rate_limit_policies ?? [];
  const roles = state.roles ?? [];
  const streams = state.event_streams ?? [];
  const prompts = Object.values(state.prompts ?? {});
  const changes: (() => void)[] = [
    () => insertPolicy(random, policies),
    () => {
      if (policies.length > 0) random.pick(policies).configuration = { action: 'block', limit: random.int(3, 9) };
    },
    () => {
      if (policies.length > 0) policies.splice(random.int(0, policies.length - 1), 1);
    },
    () => {
      if (roles.length === 0) return;
      const role = random.pick(roles);
      role.permissions = [...(role.permissions ?? []), foreignPair(random)];
    },
    () => {
      const role = roles.length === 0 ? undefined : random.pick(roles);
      role?.permissions?.splice(random.int(0, 5), 1);
    },
    () => changeAnyRole(random, state),
    () => {
      if (prompts.length > 0)
        random.pick(prompts).partials = { foreign: { 'form-content': `by hand ${random.int(0, 9)}` } };
    },
    () => {
      if (streams.length > 0) random.pick(streams).status = random.pick(['enabled', 'disabled']);
    },
    () => {
      if (streams.length > 0) streams.splice(random.int(0, streams.length - 1), 1);
    },
  ];
  const hasApplications = (state.connections ?? state.client_grants ?? []).length > 0;
  if (hasApplications && random.chance(0.3)) changeApplications(random.branch('applications'), state);
  else random.pick(changes)();
}

type Values = Record<string, unknown>;

/** A client is changed or deleted, a grant is changed, a connection gets clients or loses them, a protection changes. */
function changeApplications(random: Random, state: Seed): void {
  const clients = (state.clients ?? []) as unknown as Values[];
  const own = clients.filter(({ name }) => name !== undefined);
  const grants = (state.client_grants ?? []) as unknown as Values[];
  const connections = (state.connections ?? []) as unknown as Values[];
  const changes: (() => void)[] = [
    () => {
      if (own.length > 0) random.pick(own)['description'] = `by hand ${random.int(0, 99)}`;
    },
    () => {
      const free = own.filter(({ client_id }) => client_id !== anchorId);
      if (free.length > 0) deleteClient(state, random.pick(free)['client_id']);
    },
    () => {
      const grant = grants.length === 0 ? undefined : random.pick(grants);
      if (grant !== undefined) grant['scope'] = random.some((grant['scope'] ?? []) as string[], 0.5);
    },
    () => {
      if (grants.length > 0) grants.splice(random.int(0, grants.length - 1), 1);
    },
    () => {
      const connection = connections.length === 0 ? undefined : random.pick(connections);
      if (connection === undefined) return;
      const enabled = (connection['enabled_clients'] ?? []) as Values[];
      const added = random.some(own, 0.2).map(({ client_id }) => ({ client_id }));
      const left = random.some(enabled, 0.7);
      const isNew = ({ client_id }: Values) => left.every((one) => one['client_id'] !== client_id);
      connection['enabled_clients'] = [...left, ...added.filter(isNew)];
    },
    () => {
      const connection = connections.length === 0 ? undefined : random.pick(connections);
      if (connection !== undefined) connection['is_domain_connection'] = random.chance(0.5);
    },
    () => {
      const { attack_protection: protection } = state as { attack_protection?: Record<string, Values> };
      const part = protection?.['brute_force_protection'];
      if (part !== undefined) part['max_attempts'] = random.int(10, 20);
    },
  ];
  random.pick(changes)();
}

/** With what the service takes away with it. */
function deleteClient(state: Seed, id: unknown): void {
  const isOther = (one: unknown) => (one as Values)['client_id'] !== id;
  state.clients = (state.clients ?? []).filter(isOther);
  state.client_grants = (state.client_grants ?? []).filter(isOther);
  for (const connection of (state.connections ?? []) as unknown as Values[])
    connection['enabled_clients'] = ((connection['enabled_clients'] ?? []) as Values[]).filter(isOther);
}

function policiesOf(state: Seed): Policy[] {
  state.rate_limit_policies ??= [];
  return state.rate_limit_policies;
}

function insertPolicy(random: Random, policies: Policy[], id = `rlp_f${random.int(1e6, 9e6)}`): void {
  const selector = `client_id:foreign-${random.int(0, 5)}`;
  if (policies.some(({ consumer_selector }) => consumer_selector === selector)) return;
  policies.push({
    id,
    resource: 'oauth_authentication_api',
    consumer: 'client',
    consumer_selector: selector,
    configuration: { action: 'allow' },
  });
}

type Role = NonNullable<Seed['roles']>[number];

/** Roles that nobody declares by id or without a description: what else is gone is created again. */
function freeRoles({ roles = [] }: Seed): Role[] {
  return roles.filter(({ id }) => !/^rol_\d+$/.test(id));
}

function changeAnyRole(random: Random, state: Seed): void {
  const free = freeRoles(state);
  if (free.length === 0 || random.chance(0.3)) insertRole(random, state);
  else changeFreeRole(random, state, random.pick(free));
}

function insertRole(random: Random, state: Seed, letter = random.pick([...'AMZ'])): void {
  state.roles ??= [];
  const name = `${letter} Foreign ${random.int(0, 99_999)}`;
  if (state.roles.every((role) => role.name !== name))
    state.roles.push({ id: `rol_f${random.int(1e6, 9e6)}`, name, permissions: [] });
}

function changeFreeRole(random: Random, state: Seed, role: Role): void {
  const change = random.pick(['rename', 'describe', 'delete', 'recreate']);
  if (change === 'rename') rename(random, role);
  else if (change === 'describe') role.description = `by hand ${random.int(0, 99)}`;
  else if (change === 'recreate') role.id = `rol_f${random.int(1e6, 9e6)}`;
  else removeRole(state, role);
}

function rename(random: Random, role: Role, letter = random.pick([...'AMZ'])): void {
  role.name = `${letter} Renamed ${random.int(0, 99_999)}`;
}

function removeRole(state: Seed, role: Role): void {
  state.roles = (state.roles ?? []).filter((one) => one !== role);
}

function foreignPair(random: Random) {
  return { resource_server_identifier: 'https://foreign.example/', permission_name: `f${random.int(0, 99_999)}` };
}

/**
 * A change of something that the plan is about to write: the item is changed, deleted or created again under another id, a
 * permission is granted or revoked, a text is edited. Destructive and overwriting actions are preferred.
 */
export function changePlanned(random: Random, state: Seed, plan: Plan | null): void {
  const actions = plan?.actions ?? [];
  const overwriting = actions.filter(({ action }) => action !== 'create' && action !== 'add');
  const candidates = overwriting.length > 0 && random.chance(0.8) ? overwriting : actions;
  if (candidates.length === 0) changeAnything(random, state);
  else changeTarget(random, state, random.pick(candidates));
}

function changeTarget(random: Random, state: Seed, action: Action): void {
  if (action.kind === 'rate_limit_policies' || action.kind === 'event_streams') changeItem(random, state, action);
  else if (action.kind === 'roles' && (action.action === 'add' || action.action === 'remove'))
    changePairs(random, state, action);
  else if (action.kind === 'roles') changeRole(random, state, action);
  else if (action.kind === 'prompts') changePrompt(random, state, action);
  else if (isApplication(action)) changeApplications(random, state);
}

function changeItem(random: Random, state: Seed, action: Action): void {
  const items = itemsOf(state, action.kind);
  if (action.action === 'create') {
    createFirst(random, state, action);
    return;
  }
  const item = items.find(({ id }) => action.request.path.endsWith(`/${encodeURIComponent(id)}`));
  if (item === undefined) return;
  const change = random.pick(['change', 'change', 'delete', 'recreate']);
  if (change === 'change') edit(random, item);
  else if (change === 'recreate') recreate(random, item);
  else (items as unknown[]).splice(items.indexOf(item), 1);
}

/** The policy that the plan creates, created by the other client, like the files want it or not. */
function createFirst(random: Random, state: Seed, { kind, request }: Action): void {
  if (kind !== 'rate_limit_policies') return;
  const wanted = { id: `rlp_${random.pick(firstAndLast)}${random.int(1e6, 9e6)}`, ...request.body } as Policy;
  const isThere = itemsOf(state, kind).some((item) => identityOf(kind, item) === wanted.consumer_selector);
  if (isThere) return;
  if (random.chance(0.5)) edit(random, wanted);
  policiesOf(state).push(wanted);
}

function edit(random: Random, item: object): void {
  if ('configuration' in item) (item as Policy).configuration = { action: 'block', limit: random.int(10, 99) };
  else {
    const stream = item as Stream;
    stream.status = stream.status === 'enabled' ? 'disabled' : 'enabled';
  }
}

/** Ids that sort before all others and after all others. */
const firstAndLast = ['0', 'z'] as const;

/** Deleted and created again: the same identity under another id. */
function recreate(random: Random, item: { id: string }, place: '0' | 'z' = random.pick(firstAndLast)): void {
  item.id = `${item.id.split('_')[0]}_${place}${random.int(1e6, 9e6)}`;
}

/** The role that the plan creates is created by the other client; one that it changes is changed, or gets its old name back. */
function changeRole(random: Random, state: Seed, action: Action): void {
  const wanted = createdIdentity(action);
  const roles = state.roles ?? [];
  if (action.action === 'create') {
    if (roles.some(({ name }) => name === wanted)) return;
    const description = random.chance(0.5) ? String(memberOf(action.request.body, 'description') ?? '') : 'by hand';
    state.roles = [...roles, { id: `rol_f${random.int(1e6, 9e6)}`, name: wanted, description, permissions: [] }];
    return;
  }
  const role = freeRoles(state).find(({ id }) => id === roleOf(action));
  if (role === undefined) return;
  const old = String(action.before?.['name'] ?? role.name);
  const isFree = roles.every(({ name }) => name !== old);
  if (isFree && random.chance(0.4)) role.name = old;
  else changeFreeRole(random, state, role);
}

function changePairs(random: Random, state: Seed, action: Action): void {
  const role = state.roles?.find(({ id, name }) => id === roleOf(action) || name === action.key);
  if (role === undefined) return;
  const planned = random.pick(pairsOf(action));
  const held = role.permissions ?? [];
  const isHeld = held.some((pair) => pairName(pair) === planned);
  if (isHeld) role.permissions = held.filter((pair) => pairName(pair) !== planned);
  else role.permissions = [...held, foreignPair(random)];
}

function changePrompt(random: Random, state: Seed, { key }: Action): void {
  const prompt = state.prompts?.[key];
  if (prompt === undefined) return;
  prompt.partials = { ...prompt.partials, [key]: { ...prompt.partials[key], 'form-content': `${random.int(0, 99)}` } };
}

/**
 * - `forward`: an item is created again under an id that sorts last, so both ids may be listed; a role is renamed
 * - `back`: an item is created again under an id that sorts first, so neither may be listed
 * - `insert`, `remove`: an item that is new or gone at a page border
 * - `swap`: both at once, so that the total stays the same
 */
export const movements = ['forward', 'forward', 'back', 'insert', 'remove', 'swap'] as const;
export type Movement = (typeof movements)[number];

/** A page that was just read, of a list that has another one after it. */
interface ListMove {
  readonly kind: Action['kind'];
  readonly movement: Movement;
  /** Ids. */
  readonly page: readonly string[];
}

/** Moves an item of a list. */
export function moveList(random: Random, state: Seed, move: ListMove): void {
  if (move.kind === 'roles') {
    moveRoles(random, state, move);
    return;
  }
  const { kind, movement, page } = move;
  const items = itemsOf(state, kind) as { id: string }[];
  const isRead = ({ id }: { readonly id: string }) => id <= (page.at(-1) ?? '');
  const candidates = items.filter((item) => isRead(item) === (movement === 'forward'));
  if (movement === 'insert' || movement === 'swap')
    insertPolicy(random, policiesOf(state), `rlp_${random.int(1, 9)}00000x`);
  if (movement === 'remove' || movement === 'swap') {
    if (items.length > 0) items.splice(random.int(0, items.length - 1), 1);
  } else if (movement !== 'insert' && candidates.length > 0)
    recreate(random, random.pick(candidates), movement === 'forward' ? 'z' : '0');
}

/** Roles are listed by name. What is declared is not moved itself: its place is. */
function moveRoles(random: Random, state: Seed, { movement, page }: ListMove): void {
  const last = state.roles?.find(({ id }) => id === page.at(-1))?.name ?? '';
  const own = freeRoles(state).filter(({ name }) => /^. (Other|Foreign|Renamed)/.test(name));
  const read = own.filter(({ name }) => name <= last);
  const unread = own.filter(({ name }) => name > last);
  if (movement === 'insert') insertRole(random, state, 'A');
  else if (movement === 'swap') insertRole(random, state, 'Z');
  if ((movement === 'remove' || movement === 'swap') && read.length > 0) removeRole(state, random.pick(read));
  else if (movement === 'forward' && read.length > 0) rename(random, random.pick(read), 'Z');
  else if (movement === 'back' && unread.length > 0) rename(random, random.pick(unread), 'A');
}
