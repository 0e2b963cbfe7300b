import { itemId } from '../model/action-identity.ts';
import { isRemoval } from '../model/levels.ts';
import type { PerformedAction } from '../model/outcome.ts';
import type { Action, PlannedRequest } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import type { Comparison } from './compare-plans.ts';

/** What is known of one item of a plan. Times are of the monotonic clock. */
export interface ItemRecord {
  readonly id: string;
  readonly actions: ActionRecord[];
  /** When the last reading of it arrived. */
  readAt: number;
  /** Whether that was the reading of the plan. */
  isPlanned: boolean;
}

export interface ActionRecord {
  readonly action: Action;
  readonly of: ItemRecord;
  /** `ended` without a request: a reading shows that it needs none, or that it must not be sent. */
  state: 'open' | 'sent' | 'ended';
  /** How it ended without a request; null in the other states. */
  ended: PerformedAction | null;
  /** With real ids in place of references, if a reading has shown them. */
  request: PlannedRequest;
  /** When its last request ended; null before. */
  respondedAt: number | null;
  /** What readings show of it that began after that, or that ended it. */
  seen: Seen | null;
  /** When it was last checked whether readings show what it relies on. */
  checkedAt: number;
  /** Whether the service has confirmed it. */
  isConfirmed: boolean;
  /** A reading shows it, and may be older than the plan. */
  mayBeLate: boolean;
}

export interface Seen {
  /** What the last one shows that did not fail, when it began, and when its first response arrived. */
  readonly comparison: Comparison;
  readonly began: number;
  readonly arrivedAt: number;
  /** How many there were, and when the last one began, whether it failed or not. */
  readonly readings: number;
  readonly lastBegan: number;
}

/** Longer ago than any reading. */
export const never = Number.NEGATIVE_INFINITY;

/** The records of actions, by id, and those of their items. */
export function openRecords(actions: readonly Action[], plannedAt: number) {
  const items = new Map<string, ItemRecord>();
  const records = new Map<string, ActionRecord>();
  for (const [id, ofItem] of groupBy(actions, itemId)) {
    const of: ItemRecord = { id, actions: [], readAt: plannedAt, isPlanned: true };
    items.set(id, of);
    for (const action of ofItem) {
      const record: ActionRecord = { action, of, ...unread(action) };
      of.actions.push(record);
      records.set(action.id, record);
    }
  }
  return { items, records };
}

/** An action of which no reading shows anything. */
export function unread({ request }: Action): Omit<ActionRecord, 'action' | 'of'> {
  const state = { state: 'open', isConfirmed: false, mayBeLate: false } as const;
  return { ...state, ended: null, request, respondedAt: null, seen: null, checkedAt: never };
}

/** What cannot be read is sent whether it is needed or not. */
export function isReadable({ precondition }: Pick<Action, 'precondition'>): boolean {
  return precondition !== null;
}

/** Whether an action may still be sent on a reading. */
export function isOpen({ action, state }: ActionRecord): boolean {
  return state === 'open' && isReadable(action);
}

/** Whether others may rely on what an action has given, or on what the tenant already had. */
export function isGrant({ action, state }: ActionRecord): boolean {
  return state !== 'open' && isReadable(action) && !isRemoval(action);
}

/** Readings of these actions must have begun at this time or later: an earlier one shows nothing new. */
export function newsSince(records: readonly ActionRecord[]): number {
  return records.reduce(
    (latest, { seen, respondedAt }) =>
      Math.max(latest, seen === null ? (respondedAt ?? never) : justAfter(seen.lastBegan)),
    never,
  );
}

function justAfter(time: number): number {
  return time + Math.max(1, Math.abs(time)) * Number.EPSILON;
}
