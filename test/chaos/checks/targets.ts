/** What an action changes, in a state; and the readings that show it. */
import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../../../src/model/plan.generated.ts';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { memberOf } from '../../../src/values/json-pointer.ts';
import { anchorId } from '../applications.ts';
import { type Effect, type Item, withoutStamps } from '../effects.ts';
import type { History, RequestStep, Step } from '../history.ts';
import { heldPairs, type PairName } from '../meaning.ts';
import { pairsOf, roleOf } from './access.ts';
import { clientsIn, heldBy, isApplication, isAsShown } from './applications.ts';
import { identityOf, itemsOf, requestsOf } from './steps-and-items.ts';

/** What the precondition of an action is about: the item, which of the named pairs the role has, or the partials. */
export function targetIn(state: Seed, action: Action): unknown {
  if (action.kind === 'resource_servers') return itemsOf(state, action.kind).find(({ id }) => isInPath(action, id));
  if (isApplication(action)) return applicationIn(state, action);
  switch (action.action) {
    case 'create':
      return null;
    case 'update':
    case 'delete': {
      const item = itemsOf(state, action.kind).find(({ id }) => isInPath(action, id));
      return item === undefined ? null : withoutStamps(item);
    }
    case 'add':
    case 'remove':
      return pairsIn(state, action);
    case 'put':
      return withoutEmpty(state.prompts?.[action.key]?.partials ?? {});
  }
}

/** The item, or which of the named clients it has. */
function applicationIn(state: Seed, action: Action): unknown {
  const item = itemsOf(state, action.kind).find(({ id }) => isInPath(action, id));
  if (item === undefined || action.action === 'create') return null;
  const { enabled_clients: _enabled, ...fields } = item as Item & { readonly enabled_clients?: unknown };
  if (action.action !== 'add' && action.action !== 'remove') return withoutStamps(fields);
  const held = heldBy(action.kind, item);
  return clientsIn(action.request.body).filter((id) => held.includes(id));
}

/** Whether an action would overwrite or delete in this state what its plan shows. */
export function isAsPlanned(action: Action, state: Seed): boolean {
  const found = targetIn(state, action);
  if (isApplication(action))
    return action.action === 'remove'
      ? (found as readonly string[] | null)?.length === clientsIn(action.request.body).length
      : isAsShown(action.before, found);
  if (action.action === 'put') return isDeepStrictEqual(found, withoutEmpty(action.before ?? {}));
  if (action.action === 'remove') return (found as readonly PairName[]).length === pairsOf(action).length;
  const { before } = action;
  if (before === null || found === null) return false;
  // A policy of a client has the name of the client in a plan.
  const named = String(memberOf(before, 'consumer_selector')).startsWith('client:');
  const selector = named && { consumer_selector: memberOf(found, 'consumer_selector') };
  return isDeepStrictEqual(found, withoutStamps({ ...before, ...selector }));
}

function pairsIn(state: Seed, action: Action): PairName[] {
  const held = heldPairs(state).get(roleOf(action));
  return pairsOf(action).filter((pair) => held?.has(pair));
}

function isInPath({ request }: Action, id: string): boolean {
  return request.path.split('/').includes(encodeURIComponent(id));
}

export function withoutEmpty(partials: object): object {
  return Object.fromEntries(Object.entries(partials).filter(([, points]) => Object.keys(points as object).length > 0));
}

/** Whether a change is of the item, role or prompt of an action; another item of its identity counts. */
export function isAbout(effect: Effect, action: Action): boolean {
  if (effect.kind !== action.kind) return false;
  if (action.kind === 'prompts') return effect.target === action.key;
  if (effect.item === undefined || isInPath(action, effect.target)) return isInPath(action, effect.target);
  const shown = { id: '', ...action.before, ...action.request.body };
  const identity = identityOf(action.kind, effect.item);
  return identity === identityOf(action.kind, shown) || (action.kind === 'roles' && identity === action.key);
}

/** The last step, of this run or before it, that changed what `look` sees, before a request or at all; null without one. */
export function lastChange(
  { earlierChanges, steps }: Pick<History, 'earlierChanges' | 'steps'>,
  look: (state: Seed) => unknown,
  request?: RequestStep,
): Step | null {
  const changes = [...earlierChanges, ...steps].filter(
    (step) =>
      step !== request &&
      step.order <= (request?.order ?? step.order) &&
      step.before !== step.after &&
      !isDeepStrictEqual(look(step.before), look(step.after)),
  );
  return changes.reduce<Step | null>((last, step) => (last === null || step.order > last.order ? step : last), null);
}

/** Where the target of an action can be read. */
export function pathsOf(action: Action): readonly string[] {
  const { kind, key, request } = action;
  if (kind === 'prompts') return [`/prompts/${key}/partials`];
  if (kind === 'roles' && (action.action === 'add' || action.action === 'remove'))
    return [`/roles/${roleOf(action)}/permissions`];
  if (kind === 'attack_protection' || (kind === 'connections' && request.path.endsWith('/clients')))
    return [request.path];
  return [`/${kind.replaceAll('_', '-')}`, request.path];
}

/** A listing with all of its pages, or one read. Virtual milliseconds. */
export interface ReadingPass {
  readonly startedAt: number;
  /** Place of its first page. */
  readonly order: number;
  readonly endedAt: number;
}

/** The last reading, before a time, of what an action changes. `isWanted`: by its query. */
export function lastReading(
  history: History,
  action: Action,
  before: number,
  isWanted = (query: string) => isAboutItem(query, action),
): ReadingPass | null {
  const paths = pathsOf(action);
  const reads = requestsOf(history).filter(
    (step) =>
      step.method === 'GET' &&
      paths.includes(step.path) &&
      step.status === 200 &&
      step.endedAt <= before &&
      isWanted(step.query),
  );
  const first = reads.findLast(isFirstPage);
  const last = reads.at(-1);
  return first === undefined || last === undefined
    ? null
    : { startedAt: first.at, order: first.order, endedAt: last.endedAt };
}

export function isFirstPage({ query }: RequestStep): boolean {
  return !/[?&](from=|page=[1-9])/.test(query);
}

/** A filtered list shows the items of one selector only, or of one name. */
export function isAboutItem(query: string, { action, key }: Action): boolean {
  const name = new URLSearchParams(query).get('name_filter');
  if (name !== null && action === 'create') return name === key;
  const asked = new URLSearchParams(query).get('consumer_selector');
  if (isComplete(query) || key.endsWith(`/${asked}`)) return true;
  // A plan has the name of the client.
  return key.includes('/client:') && asked === `client_id:${anchorId}`;
}

export function isComplete(query: string): boolean {
  return !new URLSearchParams(query).has('consumer_selector');
}

/** The default of --max-staleness. */
const maxStalenessMs = 10_000;

/** How long ago something may have changed that a write overwrites: as old as a reading may be, and the time that it took. */
export function oldestKnowledgeMs(history: History, { at }: RequestStep, action: Action | undefined): number {
  const reading = action === undefined ? null : lastReading(history, action, at);
  return maxStalenessMs + (reading === null ? 0 : reading.endedAt - reading.startedAt);
}

/** The last response about the permissions of a role before a write, but one that is asked for again; undefined without one. */
export function lastOfPermissions(
  history: History,
  { at, order }: RequestStep,
  action: Action,
): RequestStep | undefined {
  const path = `/roles/${roleOf(action)}/permissions`;
  const isFinal = ({ status }: RequestStep) => status === 200 || status === 403 || status === 404;
  return requestsOf(history)
    .filter((step) => step.method === 'GET' && step.path === path && isFinal(step))
    .filter((step) => step.order < order && step.endedAt <= at)
    .reduce<RequestStep | undefined>(
      (last, step) => (last === undefined || step.endedAt >= last.endedAt ? step : last),
      undefined,
    );
}

/** Whether an operation of this level of the API shows what an action changes. */
export function isReadable({ kind }: Action, { meaning }: History): boolean {
  return meaning.api === 'full' || kind === 'rate_limit_policies' || kind === 'event_streams';
}
