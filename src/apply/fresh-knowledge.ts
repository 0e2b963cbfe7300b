import type { Item } from '../model/action-identity.ts';
import { itemId } from '../model/action-identity.ts';
import type { Clock } from '../model/clock.ts';
import type { AnyKind } from '../model/kind.ts';
import { overwrites } from '../model/levels.ts';
import type { BeforeSending, PerformedAction } from '../model/outcome.ts';
import type { Action, Plan, PlannedRequest } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { type Comparison, compareFresh, type FreshPlan, freshPlan, type ManagedKinds } from './compare-fresh.ts';
import { conflictOutcome } from './conflict.ts';
import { type ItemToRead, itemsToRead } from './items-to-read.ts';
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
  /** Makes the plan again for these items. Rejects with an error that has a diagnostic if they cannot be read. */
  readonly planAgain: (items: readonly ItemToRead[]) => Promise<Plan>;
  /** Whether the files still declare the item as they did when the action was planned. */
  readonly isStillDesired: (action: Action) => boolean;
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
  /** Every item is read again before the next request about it: time of unknown length has passed. */
  expire(): void;
  /** What a plan that was made again shows. Actions that it does not leave unchanged are not sent. */
  learn(plan: Plan, readAt: number): void;
  /** How an action has ended that needs no request; null if it may still be sent. */
  ended(id: string): PerformedAction | null;
  /** Requests with real ids in place of references, by id of the action. */
  readonly adopted: ReadonlyMap<string, PlannedRequest>;
}

const never = Number.NEGATIVE_INFINITY;

export function openFreshKnowledge(actions: readonly Action[], options: FreshKnowledgeOptions): FreshKnowledge {
  const { kinds, managed, clock, readAt: plannedAt, maxStalenessMs, planAgain, isStillDesired } = options;
  const byId = new Map(actions.map((action) => [action.id, action]));
  const byItem = groupBy(actions, itemId);
  const byKind = groupBy(actions, ({ kind }) => kind);
  const readTimes = new Map<string, number>();
  const ended = new Map<string, PerformedAction>();
  const adopted = new Map<string, PlannedRequest>();
  const listings = new Map<string, Promise<Learned>>();
  /** Kinds whose listing takes so long that it is old when it ends. */
  const slowlyListed = new Set<string>();
  let defaultTime = plannedAt;

  const readAt = (item: Item) => readTimes.get(itemId(item)) ?? defaultTime;
  const isDue = (action: Action): boolean => {
    if (!isReadable(action)) return false;
    const at = readAt(action);
    return at === never || (overwrites.has(action.action) && clock.monotonic() - at > maxStalenessMs);
  };

  const learn = (fresh: FreshPlan, about: readonly Action[], at: number) => {
    for (const action of about) {
      readTimes.set(itemId(action), at);
      const comparison = compareFresh(action, fresh, managed);
      if (comparison.state !== 'unchanged') {
        if (!ended.has(action.id)) ended.set(action.id, outcomeOf(action, comparison, isStillDesired(action)));
      } else if (hasReference(action)) adopted.set(action.id, comparison.request);
    }
  };

  const read = async (items: readonly ItemToRead[]): Promise<Learned> => {
    const at = clock.monotonic();
    return { fresh: freshPlan(await planAgain(items)), at };
  };
  const readKind = async (kind: string): Promise<Learned> => {
    const learned = await read(itemsToRead(byKind.get(kind) ?? []));
    if (clock.monotonic() - learned.at > maxStalenessMs / 2) slowlyListed.add(kind);
    return learned;
  };
  /** One listing at a time for each kind; several requests may wait for it. */
  const listing = (kind: string): Promise<Learned> => {
    const running = listings.get(kind) ?? readKind(kind).finally(() => listings.delete(kind));
    listings.set(kind, running);
    return running;
  };
  const readItemwise = ({ kind: name }: Action): boolean => {
    const reading = kinds.find((kind) => kind.name === name)?.reading;
    return reading?.each === true || (reading?.single === true && slowlyListed.has(name));
  };

  const readAgain = async (planned: Action): Promise<PerformedAction | null> => {
    const { id, kind, key } = planned;
    const itemwise = readItemwise(planned);
    try {
      const { fresh, at } = await (itemwise ? read([{ kind, key }]) : listing(kind));
      const about = itemwise ? byItem.get(itemId(planned)) : byKind.get(kind);
      // Others have learned from the same listing.
      if (readAt(planned) < at) learn(fresh, about ?? [], at);
    } catch (error) {
      if (options.signal?.aborted) return notRead(id, 'stopped by a signal');
      if (!hasDiagnostic(error)) throw error;
      return notRead(id, error.message);
    }
    return ended.get(id) ?? null;
  };

  return {
    before({ id }) {
      const planned = byId.get(id);
      const known = ended.get(id);
      if (known !== undefined || planned === undefined) return known ?? null;
      return isDue(planned) ? readAgain(planned) : null;
    },
    expire() {
      readTimes.clear();
      defaultTime = never;
    },
    learn: (plan, at) => learn(freshPlan(plan), actions.filter(isReadable), at),
    ended: (id) => ended.get(id) ?? null,
    adopted,
  };
}

interface Learned {
  readonly fresh: FreshPlan;
  /** When the reading began. */
  readonly at: number;
}

/** What cannot be read is sent whether it is needed or not. */
function isReadable({ precondition }: Action): boolean {
  return precondition !== null;
}

function outcomeOf(
  action: Action,
  comparison: Exclude<Comparison, { readonly state: 'unchanged' }>,
  isDesired: boolean,
): PerformedAction {
  if (!isDesired && comparison.state !== 'unread')
    return conflictOutcome(action, { moved: 'files', now: comparison.state === 'changed' ? comparison.now : null });
  switch (comparison.state) {
    case 'reached':
      return { id: action.id, outcome: 'done', status: null, message: 'the tenant is already as planned' };
    case 'changed':
      return conflictOutcome(action, { moved: 'tenant', now: comparison.now });
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

function hasDiagnostic(error: unknown): error is Error & { readonly diagnostic: unknown } {
  return error instanceof Error && 'diagnostic' in error;
}
