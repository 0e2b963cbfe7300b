/** What another client does to the tenant during a run. */
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { pairsOf, roleOf } from './checks/access.ts';
import { identityOf, itemsOf } from './checks/steps-and-items.ts';
import { pairName } from './meaning.ts';
import type { Random } from './random.ts';

type Policy = NonNullable<Seed['rate_limit_policies']>[number];
type Stream = NonNullable<Seed['event_streams']>[number];

/** Any change. What the files name by itself, such as a role, stays. */
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
  random.pick(changes)();
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
  else if (action.kind === 'roles') changeRole(random, state, action);
  else changePrompt(random, state, action);
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

function changeRole(random: Random, state: Seed, action: Action): void {
  const role = state.roles?.find(({ id }) => id === roleOf(action));
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
 * - `forward`: an item is created again under an id that sorts last, so both ids may be listed
 * - `back`: an item is created again under an id that sorts first, so neither may be listed
 * - `insert`, `remove`: an item that is new or gone at a page border
 */
export const movements = ['forward', 'forward', 'back', 'insert', 'remove'] as const;
export type Movement = (typeof movements)[number];

/** Moves an item of a list of which a page with these ids was just read. */
export function moveList(
  random: Random,
  state: Seed,
  {
    kind,
    movement,
    page,
  }: { readonly kind: Action['kind']; readonly movement: Movement; readonly page: readonly string[] },
): void {
  const items = itemsOf(state, kind) as { id: string }[];
  const isRead = ({ id }: { readonly id: string }) => id <= (page.at(-1) ?? '');
  const candidates = items.filter((item) => isRead(item) === (movement === 'forward'));
  if (movement === 'insert') insertPolicy(random, policiesOf(state), `rlp_${random.int(1, 9)}00000x`);
  else if (movement === 'remove' && items.length > 0) items.splice(random.int(0, items.length - 1), 1);
  else if (candidates.length > 0) recreate(random, random.pick(candidates), movement === 'forward' ? 'z' : '0');
}
