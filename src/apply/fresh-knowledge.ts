import { hasDiagnostic } from '../diagnostics/has-diagnostic.ts';
import type { Item } from '../model/action-identity.ts';
import { itemId } from '../model/action-identity.ts';
import type { Clock } from '../model/clock.ts';
import type { AnyKind } from '../model/kind.ts';
import { overwrites } from '../model/levels.ts';
import type { BeforeSending, PerformedAction } from '../model/outcome.ts';
import type { Action, Plan, PlannedRequest } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { type Comparison, compareFresh, type FreshPlan, freshPlan, type ManagedKinds } from './compare-fresh.ts';
import { conflictOutcome, type Declared } from './conflict.ts';
import { hasReference } from './result-references.ts';

export interface FreshKnowledgeOptions {
  readonly kinds: readonly Pick<AnyKind, 'name' | 'reading'>[];
  readonly managed: ManagedKinds;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** When the reading began that the plan was made from, by the monotonic clock. */
  readonly readAt: number;
  /** The oldest reading on which something is overwritten or deleted. */
  readonly maxStalenessMs: number;
  /** When it aborts, nothing more is read. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the plan again for the items of these actions. Rejects with an error that has a diagnostic if they cannot be read. */
  readonly planAgain: (about: readonly Action[]) => Promise<PlannedAgain>;
  /** When the first response to a listing of the kind arrived that began at `since` or later. */
  readonly listedAt: (kind: string, since: number) => number;
  /** Number of responses to reads of the kind so far. */
  readonly responses: (kind: string) => number;
  /** How the files declare the item of an action now. */
  readonly declaredNow: (action: Action) => Declared;
}

export interface PlannedAgain {
  readonly plan: Plan;
  /** When the oldest response arrived that was read for another item; null if there was none. */
  readonly reusedAt: number | null;
}

/**
 * How recent the knowledge is that a plan is performed on.
 *
 * What is overwritten or deleted is read again if its last reading is too old when its request is about to be sent: one
 * listing for a kind that is listed, one read for an item of the others. The new reading is compared with the planned
 * one: an item that others changed is left alone.
 */
export interface FreshKnowledge {
  /** To be called when the quota allows the request: see BeforeSending. */
  before(action: Action): ReturnType<BeforeSending>;
  /** Whether the request may be sent now; `before` reads what it needs. */
  isRecent(action: Action): boolean;
  /** Every item is read again before the next request about it: time of unknown length has passed. */
  expire(): void;
  /** What a plan that was made again for these actions shows. Those that it does not leave unchanged are not sent. */
  learn(plan: Plan, about: readonly Action[], readAt: number): void;
  /** How an action has ended that needs no request; null if it may still be sent. */
  ended(id: string): PerformedAction | null;
  /** Requests with real ids in place of references, by id of the action. */
  readonly adopted: ReadonlyMap<string, PlannedRequest>;
}

const never = Number.NEGATIVE_INFINITY;

/** A longer listing takes more requests than reading the items that wait for it at once. */
const mostPages = 16;

export function openFreshKnowledge(actions: readonly Action[], options: FreshKnowledgeOptions): FreshKnowledge {
  const { kinds, managed, clock, readAt: plannedAt, maxStalenessMs, planAgain, declaredNow } = options;
  const byId = new Map(actions.map((action) => [action.id, action]));
  const byItem = groupBy(actions, itemId);
  const byKind = groupBy(actions, ({ kind }) => kind);
  const readTimes = new Map<string, number>();
  const ended = new Map<string, PerformedAction>();
  const adopted = new Map<string, PlannedRequest>();
  const listings = new Map<string, Promise<void>>();
  const sent = new Set<string>();
  const longListings = new Set<string>();
  let defaultTime = plannedAt;

  const readAt = (item: Item) => readTimes.get(itemId(item)) ?? defaultTime;
  const readingOf = (kind: string) => kinds.find(({ name }) => name === kind)?.reading;
  const isDue = (action: Action): boolean => {
    if (!isReadable(action)) return false;
    const at = readAt(action);
    if (at === never) return true;
    if (!overwrites(action)) return false;
    const isPlanned = !readTimes.has(itemId(action)) && readingOf(action.kind)?.rereads?.includes(action.action);
    return isPlanned || clock.monotonic() - at > maxStalenessMs;
  };

  const learn = (fresh: FreshPlan, about: readonly Action[], at: number) => {
    for (const action of about) {
      readTimes.set(itemId(action), at);
      const comparison = compareFresh(action, fresh, managed);
      if (comparison.state !== 'unchanged') {
        if (!ended.has(action.id)) ended.set(action.id, outcomeOf(action, comparison, declaredNow(action), managed));
      } else if (hasReference(action)) adopted.set(action.id, comparison.request);
    }
  };

  /** What was sent is left alone: a reading would show this apply's own write. */
  const isOpen = ({ id }: Action) => !sent.has(id) && !ended.has(id);
  /** One listing at a time for each kind; several requests may wait for it. */
  const readKind = (kind: string): Promise<void> => {
    const running = listings.get(kind) ?? listKind(kind).finally(() => listings.delete(kind));
    listings.set(kind, running);
    return running;
  };
  const listKind = async (kind: string): Promise<void> => {
    const [began, responses] = [clock.monotonic(), options.responses(kind)];
    const about = (byKind.get(kind) ?? []).filter(isOpen);
    const { plan, reusedAt } = await planAgain(about);
    learn(
      freshPlan(plan, actions),
      about,
      Math.min(reusedAt ?? Number.POSITIVE_INFINITY, options.listedAt(kind, began)),
    );
    if (options.responses(kind) - responses > mostPages) longListings.add(kind);
  };
  /** The age of a single item counts from its response, and from that of a listing that it shares with others. */
  const readItem = async (item: Item): Promise<void> => {
    const about = (byItem.get(itemId(item)) ?? []).filter(isOpen);
    const { plan, reusedAt } = await planAgain(about);
    learn(freshPlan(plan, actions), about, reusedAt ?? clock.monotonic());
  };

  const readAgain = async (planned: Action): Promise<PerformedAction | null> => {
    const { id, kind } = planned;
    const reading = readingOf(kind);
    const isSingle = reading?.each === true || reading?.single !== undefined;
    sent.delete(id);
    try {
      if (reading?.each !== true && !(isSingle && longListings.has(kind))) {
        const before = readAt(planned);
        await readKind(kind);
        if (!isSingle && readAt(planned) === before && isOpen(planned)) await readKind(kind);
      }
      // A listing can take longer than a reading may be old, or have begun before this action waited for it.
      if (isSingle && isOpen(planned) && isDue(planned)) await readItem(planned);
    } catch (error) {
      if (options.signal?.aborted) return notRead(id, 'stopped by a signal');
      if (!hasDiagnostic(error)) throw error;
      return notRead(id, error.message);
    }
    return toBeSent(planned);
  };
  const toBeSent = ({ id }: Action): PerformedAction | null => {
    const known = ended.get(id);
    if (known === undefined) sent.add(id);
    return known ?? null;
  };

  return {
    before({ id }) {
      const planned = byId.get(id);
      if (planned === undefined) return null;
      return !ended.has(id) && isDue(planned) ? readAgain(planned) : toBeSent(planned);
    },
    isRecent({ id }) {
      const planned = byId.get(id);
      return planned === undefined || !isDue(planned);
    },
    expire() {
      readTimes.clear();
      defaultTime = never;
    },
    learn: (plan, about, at) => learn(freshPlan(plan, actions), about, at),
    ended: (id) => ended.get(id) ?? null,
    adopted,
  };
}

/** What cannot be read is sent whether it is needed or not. */
function isReadable({ precondition }: Action): boolean {
  return precondition !== null;
}

function outcomeOf(
  action: Action,
  comparison: Exclude<Comparison, { readonly state: 'unchanged' }>,
  declared: Declared,
  managed: ManagedKinds,
): PerformedAction {
  const [now, finding] = comparison.state === 'changed' ? [comparison.now, comparison.finding] : [null, null];
  // A section that is gone is not read any more.
  if (!declared.isSame || !managed.has(action.kind)) return conflictOutcome(action, { now, finding, declared });
  switch (comparison.state) {
    case 'reached':
      return { id: action.id, outcome: 'done', status: null, message: 'the tenant is already as planned' };
    case 'changed':
      return conflictOutcome(action, { now, finding, declared });
    case 'unread':
      return notRead(action.id, comparison.why);
  }
}

function notRead(id: string, why: string): PerformedAction {
  return {
    id,
    outcome: 'not_attempted',
    status: null,
    message: `not sent, because it could not be read again: ${why}`,
  };
}
