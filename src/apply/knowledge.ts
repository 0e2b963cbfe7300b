import { hasDiagnostic } from '../diagnostics/problem.ts';
import { itemId } from '../model/action-identity.ts';
import type { Clock } from '../model/clock.ts';
import { InternalError } from '../model/internal-error.ts';
import type { AnyKind } from '../model/kind.ts';
import { isRemoval, overwrites } from '../model/levels.ts';
import { alreadyLive, notAttempted, notReadAgain, type PerformedAction } from '../model/outcome.ts';
import type { Action, Finding, Plan, PlannedRequest } from '../model/plan.generated.ts';
import type { ItemSource } from '../model/snapshot.ts';
import { groupBy } from '../values/group-by.ts';
import { type Comparison, comparePlans, type EarlierPlan, type ManagedKinds } from './compare-plans.ts';
import { conflictOutcome, type Declared } from './conflict.ts';
import { openProofs } from './proofs.ts';
import { openReadings } from './readings.ts';
import { type ActionRecord, isReadable, never, newsSince, openRecords, type Seen, unread } from './records.ts';
import { openReliance } from './reliance.ts';
import { hasReference, idsIn, requestMatches, withIds } from './result-references.ts';

/** A plan that was made again from a reading, and how old that is, by the monotonic clock. */
export interface FreshReading {
  readonly plan: Plan;
  /** When its first request was asked for: it shows every write whose response had arrived by then. */
  readonly began: number;
  /** When its first response arrived: its age counts from here. */
  readonly arrivedAt: number;
}

export interface KnowledgeOptions {
  readonly kinds: readonly Pick<AnyKind, 'name' | 'reading' | 'access' | 'references'>[];
  readonly managed: ManagedKinds;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** When the first response of the reading arrived that the plan was made from. */
  readonly plannedAt: number;
  /** When the plan was made, by this process or by another one that saved it. */
  readonly madeAt: number;
  /** The oldest reading on which something is overwritten or deleted. */
  readonly maxStalenessMs: number;
  /** How long a service may take to show what it has accepted. */
  readonly visibleWithinMs: number;
  /** When it aborts, nothing more is read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Makes the plan again for the items of these actions, from what was read since `since`: these items, or the complete
   * list of their kind. Rejects with an error that has a diagnostic if they cannot be read.
   */
  readonly read: (about: readonly Action[], since: number, what: 'items' | 'list') => Promise<FreshReading>;
  /** Whether the complete list of a kind is the way to read what takes so many requests item by item. */
  readonly prefersList: (source: ItemSource<unknown>, requests: number) => boolean;
  /** Whether a list had an item of an id by now, to be asked later. */
  readonly seenByNow: () => (id: string) => boolean;
  /** How the files declare the item of an action now. */
  readonly declaredNow: (action: Action) => Declared;
}

/**
 * What is known of the tenant while a plan is performed. One question is asked at every moment, before a write, between
 * two of them and at the end: are these items as planned? Each time they are read and planned again, and the two plans
 * are compared.
 *
 * - What is overwritten or deleted was read at most `maxStalenessMs` ago. An item that others changed is left alone.
 * - What is removed was replaced: a reading that began after the last response shows everything that the removal relies
 *   on (see Reliance). No response is believed here.
 * - What is not confirmed counts as done by a reading that began `visibleWithinMs` after the plan was made, and what is
 *   confirmed by any reading that shows it since.
 */
export type Knowledge = ReturnType<typeof openKnowledge>;

/** A service is asked at least as often what it has accepted, however small its quota is. */
const leastReadings = 2;

export function openKnowledge({ actions, findings }: Pick<Plan, 'actions' | 'findings'>, options: KnowledgeOptions) {
  const { kinds, managed, clock, maxStalenessMs, visibleWithinMs } = options;
  const { items, records } = openRecords(actions, options.plannedAt);
  const relied = openReliance(actions, kinds);
  const needed = new Set(actions.flatMap(({ needs }) => needs));
  const byKind = groupBy(records.values(), ({ action }) => action.kind);
  const readingOf = (kind: string) => kinds.find(({ name }) => name === kind)?.reading;
  const isListed = (kind: string, about: readonly ActionRecord[]) => {
    const source = readingOf(kind)?.source;
    return source !== undefined && options.prefersList(source, requestsFor(about));
  };
  const textOf = ({ code, kind, key, message }: Finding) => JSON.stringify([code, kind, key, message]);
  const reported = new Set(findings.map(textOf));
  const earlier: EarlierPlan = {
    plannedFor: (item) => items.get(itemId(item))?.actions.map(({ action }) => action) ?? [],
    reported: (finding) => reported.has(textOf(finding)),
  };
  const recordOf = ({ id }: Action): ActionRecord => {
    const record = records.get(id);
    if (record === undefined) throw new InternalError(`${id} is no action of the plan`);
    return record;
  };
  /** Before anything was sent. */
  const wasThere = options.seenByNow();
  const isOld = (at: number) => clock.monotonic() - at > maxStalenessMs;
  const isDue = ({ action, of, respondedAt, mayBeLate }: ActionRecord): boolean => {
    if (!isReadable(action)) return false;
    if (of.readAt === never || mayBeLate) return true;
    // What is sent again may have been carried out.
    if (!overwrites(action) && respondedAt === null) return false;
    return (of.isPlanned && readingOf(action.kind)?.rereads?.includes(action.action) === true) || isOld(of.readAt);
  };

  const learn = ({ plan, began, arrivedAt }: FreshReading, about: readonly ActionRecord[]) => {
    const compared = comparePlans(plan, managed, earlier);
    for (const record of about) {
      const { of, action, respondedAt } = record;
      if (completes(action)) continue;
      // What was sent while it was read may be on either side of it, and an older reading shows nothing new.
      const isAfter = respondedAt === null ? record.state !== 'sent' : began >= respondedAt;
      if (!isAfter || arrivedAt < of.readAt) continue;
      of.readAt = arrivedAt;
      of.isPlanned = false;
      const comparison = compared.of(action);
      // The plan showed that it is needed. Until the service has to show everything that was there then, this may be older.
      const isEarly = !record.isConfirmed && began - options.madeAt < visibleWithinMs;
      record.mayBeLate = isEarly && comparison.state === 'reached';
      if (record.mayBeLate) continue;
      if (record.state === 'open') settle(record, comparison);
      if (record.state !== 'open') see(record, { comparison: ofThat(record, comparison), began, arrivedAt });
    }
    proofs.forget();
  };
  /** What shows another item under the name of a new one does not show the new one. */
  const ofThat = ({ action, request }: ActionRecord, comparison: Comparison): Comparison => {
    const id = action.action === 'create' && comparison.state === 'reached' ? created.get(action.id) : undefined;
    return id === undefined || options.seenByNow()(id) ? comparison : { state: 'unchanged', request };
  };
  const settle = (record: ActionRecord, comparison: Comparison) => {
    const { action } = record;
    if (comparison.state === 'unchanged') {
      // A reading may show the item that had this name before: its id is not new, or not that of the response.
      const request = withIds(action, created);
      const isSent = action.needs.some((need) => (records.get(need)?.respondedAt ?? null) !== null);
      const isNew = !isSent || !idsIn(action, comparison.request)?.some(wasThere);
      if (hasReference(action) && isNew && requestMatches({ ...action, request }, comparison.request))
        record.request = comparison.request;
      return;
    }
    record.state = 'ended';
    record.ended = outcomeOf(action, comparison, options.declaredNow(action), managed);
  };

  const created = new Map<string, string>();
  /** Whether an action goes to the id of a response, once a list has that: no reading shows if it is needed. */
  const completes = (action: Action) => isFollowUp(action) && action.needs.every((need) => created.has(need));
  const lastResponses = new Map<string, number>();
  const stageName = (action: Action) => `${action.kind} ${isRemoval(action)}`;
  /** One deadline for each kind, from its last grant on; also for what was shown and cannot be read any more. */
  const isOverdue = ({ action, seen }: ActionRecord, since = never) =>
    seen !== null &&
    (seen.comparison.state !== 'reached' || seen.lastBegan > seen.began) &&
    seen.readings >= leastReadings &&
    seen.lastBegan - Math.max(since, lastResponses.get(stageName(action)) ?? never) > visibleWithinMs;
  const proofs = openProofs({ records, relied, now: clock.monotonic, isOld, isOverdue });
  const readings = openReadings({
    recordsOf: (kind) => byKind.get(kind) ?? [],
    isListed,
    isWhole: (kind) => readingOf(kind)?.each === false,
    clock,
    read: async (about, since, what) => {
      // What is given to a new item is about that one, whatever item has its name now.
      const actions = about.map(({ action, request }) => ({ ...action, request }));
      const reading = await options.read(actions, since, what);
      const kind = actions[0]?.kind ?? '';
      const isLost = what === 'list' && reading.plan.summary.unreadable.includes(kind) && !isListed(kind, about);
      if (!isLost) learn(reading, about);
      return !isLost;
    },
  });

  const readBefore = async (record: ActionRecord): Promise<PerformedAction | null> => {
    const { action, of } = record;
    record.state = 'open';
    const began = clock.monotonic();
    // Others who wait for the same may have found since that it is not shown yet.
    const isNews = ({ seen }: ActionRecord) =>
      seen !== null && seen.comparison.state !== 'reached' && seen.lastBegan > record.checkedAt;
    const missing = proofs.missing(action).filter((grant) => !isNews(grant));
    record.checkedAt = began;
    try {
      await readings(
        isDue(record) || isUnresolved(record) ? [record, ...missing] : missing,
        Math.max(newsSince(missing), proofs.since(action)),
      );
      // A listing can take longer than a reading may be old, or have begun before this action waited for it.
      if (record.ended === null && !record.mayBeLate && isDue(record)) {
        const { readAt } = of;
        await readings([record], clock.monotonic());
        // No reading of it is faster.
        if (of.readAt > readAt) of.readAt = Math.max(of.readAt, clock.monotonic() - maxStalenessMs / 2);
      }
    } catch (error) {
      if (options.signal?.aborted) return notReadAgain(action, 'interrupted');
      if (!hasDiagnostic(error)) throw error;
      return notReadAgain(action, error.message);
    }
    const isShown = (need: string) => records.get(need)?.seen?.comparison.state === 'reached';
    if (completes(action) && action.needs.every(isShown)) record.request = withIds(action, created);
    if (record.mayBeLate) return { ...notAttempted(action, `not sent: ${alreadyLive}`), waits: true };
    if (record.ended === null && isDue(record)) return notReadAgain(action, 'no reading shows it');
    return record.ended ?? proofs.whyNot(action, began) ?? toBeSent(record);
  };

  return {
    /**
     * To be called when the quota allows the request: see BeforeSending. A result that waits is for an action that relies
     * on what no reading shows yet.
     */
    before(action: Action): PerformedAction | null | Promise<PerformedAction | null> {
      const record = recordOf(action);
      if (record.ended !== null) return record.ended;
      const isKnown = !isDue(record) && !isUnresolved(record) && proofs.isRecent(record.action);
      return isKnown ? toBeSent(record) : readBefore(record);
    },
    /** Whether the request may be sent now; `before` reads what it needs. */
    isRecent: (action: Action) => !isDue(recordOf(action)) && proofs.isRecent(action),
    /** The request has ended, whatever the result: readings that begin now show what it did. */
    responded(action: Action, performed: Pick<PerformedAction, 'outcome' | 'created' | 'accepted'>): void {
      const { outcome, created: id, accepted = false } = performed;
      const record = recordOf(action);
      if (id !== undefined) created.set(action.id, id);
      if (record.state === 'ended') return;
      record.state = outcome === 'not_attempted' ? 'open' : 'sent';
      if (record.state === 'open') return;
      record.respondedAt = clock.monotonic();
      record.isConfirmed = outcome === 'done' || accepted;
      record.seen = null;
      proofs.used(action, record.respondedAt);
      lastResponses.set(stageName(action), record.respondedAt);
      if (!isRemoval(action) || needed.has(action.id)) proofs.forget();
    },
    /** Reads the items of these actions. Rejects like `read` of the options. */
    readAgain(about: readonly Action[]): Promise<void> {
      const wanted = about.map(recordOf);
      return readings(wanted, newsSince(wanted));
    },
    /** What the last reading shows of an action that has responded; null if none has begun since. */
    shown: (action: Action) => recordOf(action).seen?.comparison ?? null,
    /**
     * Actions that others may have undone since they were shown: the response to one that relies on them is newer, or a later
     * reading failed.
     */
    outdated(): ReadonlySet<Action> {
      const isInDoubt = ({ seen }: ActionRecord) => seen !== null && seen.lastBegan > seen.began;
      return new Set([...proofs.outdated(), ...[...records.values()].filter(isInDoubt).map(({ action }) => action)]);
    },
    /** Whether no later reading is expected to show an action that has responded. */
    isOverdue: (action: Action) => isOverdue(recordOf(action)),
    /** Time of unknown length has passed: every item is read again before the next request about it. What has ended is not sent. */
    expire(): void {
      for (const record of records.values())
        Object.assign(record, record.state === 'ended' ? { seen: null } : unread(record.action));
      for (const item of items.values()) Object.assign(item, { readAt: never, isPlanned: false });
    },
    /** What a plan that was made again shows of these actions. Those that it does not leave unchanged are not sent. */
    learn: (reading: FreshReading, about: readonly Action[]) => learn(reading, about.map(recordOf)),
    /** How an action has ended that needs no request; null if it may still be sent. */
    ended: (action: Action) => recordOf(action).ended,
    /** Whether what shows an action as done may be older than the plan: then it is read again before anything is concluded. */
    mayBeLate: (action: Action) => recordOf(action).mayBeLate,
    /** The request of an action with real ids in place of references, if a reading has shown them. */
    requestOf: (action: Action): PlannedRequest => recordOf(action).request,
    relied,
  };
}

/** Only a second witness shows that an item is gone. */
function requestsFor(about: readonly ActionRecord[]): number {
  const gone = about.filter(({ action, state }) => action.action === 'delete' && state !== 'open');
  return new Set(about.map(({ of }) => of)).size + gone.length;
}

/** An update of what the same plan creates: it has what a create does not accept, and no reading shows a secret. */
function isFollowUp(action: Action): boolean {
  return action.action === 'update' && !isReadable(action) && hasReference(action);
}

/** Only a reading of what an action is about shows the request with real ids. */
function isUnresolved({ action, request }: ActionRecord): boolean {
  return hasReference({ ...action, request });
}

function toBeSent(record: ActionRecord): null {
  record.state = 'sent';
  return null;
}

function see(record: ActionRecord, shown: Pick<Seen, 'comparison' | 'began' | 'arrivedAt'>): void {
  const { seen } = record;
  // A reading that fails shows nothing, and does not refute the one before it.
  const last = shown.comparison.state === 'unread' ? (seen ?? shown) : shown;
  record.seen = { ...last, readings: (seen?.readings ?? 0) + 1, lastBegan: shown.began };
}

function outcomeOf(
  action: Action,
  comparison: Exclude<Comparison, { readonly state: 'unchanged' }>,
  declared: Declared,
  managed: ManagedKinds,
): PerformedAction {
  const { now, finding, notes } = comparison.state === 'changed' ? comparison : { now: null, finding: null, notes: [] };
  // A section that is gone is not read any more.
  if (comparison.state === 'changed' || !declared.isSame || !managed.has(action.kind))
    return conflictOutcome(action, { now, finding, notes, declared });
  if (comparison.state === 'unread') return notReadAgain(action, comparison.why);
  return { id: action.id, outcome: 'done', status: null, message: alreadyLive };
}
