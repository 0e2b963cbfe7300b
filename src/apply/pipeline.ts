import type { WriteConnection } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import type { AnyKind, ItemRead } from '../model/kind.ts';
import { inDoubt, notAttempted, type Outcome, type PerformedAction } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';
import { backoffMs } from '../values/backoff.ts';
import { movedOutcome } from './conflict.ts';
import type { Knowledge } from './knowledge.ts';
import type { Reliance } from './reliance.ts';
import { hasReference } from './result-references.ts';
import { readUntilShown, shownState } from './until-shown.ts';

/** As many as a request may be sent, because a token may have expired before each of them. */
const mostUnsent = 6;

/** Where the intent and the outcome of every request are recorded. Both reject if that fails. */
export interface ActionJournal {
  /** Resolves when the intent is durable. */
  intend(action: Action): Promise<void>;
  outcome(outcome: Outcome): Promise<void>;
  /** Why nothing may be sent any more, although it was recorded; null while it may. */
  lostLock(): Error | null;
}

export interface ApplyPlanOptions {
  readonly kinds: readonly AnyKind[];
  readonly connection: Pick<WriteConnection, 'perform' | 'mayResend'>;
  readonly journal: ActionJournal;
  readonly knowledge: Knowledge;
  readonly clock: Pick<Clock, 'sleep'>;
  /** When it aborts, requests in flight are finished and nothing more is sent. */
  readonly signal: AbortSignal;
  /** Called as each action ends; not for one that may be attempted again and is not. */
  readonly onOutcome: (action: Action, outcome: Outcome) => void;
  /** Kinds that are not read at the end, because of --no-verify. */
  readonly unverified: readonly string[];
}

export type Pipeline = ReturnType<typeof openPipeline>;

/**
 * The way of every action, from the plan to its outcome. Each step may end it; what follows is then not done.
 *
 *   allowed     nothing has stopped the apply, and everything that it relies on is done
 *   resolved    no reading shows it, and its request has the ids that readings show of what earlier actions have created
 *   intended    the intent is on disk
 *   sent        when the quota allows it: it is read again, what it removes is shown to be replaced, the lock is ours
 *   proved      what the service has only accepted is shown by a reading
 *   explained   a message of the service gets what the kind knows about it
 *   recorded    the outcome is in the journal
 *   reported    listeners have it
 */
export function openPipeline(options: ApplyPlanOptions) {
  const { connection, journal, knowledge, clock, signal, onOutcome } = options;
  const outcomes = new Map<string, Outcome>();
  /** Lists of actions that are all done: thousands of deletions may rely on the same thousands of creates. */
  const done = new Set<Reliance>();
  /** How often an action was begun again since it was last sent, and was not sent. */
  const unsent = new Map<string, number>();
  let stop: string | null = null;
  let failed: { readonly cause: unknown } | null = null;

  const interrupt = ({ id }: Action, cause: unknown) => {
    failed ??= { cause };
    stop ??= `not sent: internal error at ${id}`;
  };
  const allowed = (action: Action): PerformedAction | null => {
    if (signal.aborted) stop ??= 'not sent: interrupted';
    const why = stop ?? unmet(action);
    return why === null ? null : notAttempted(action, why);
  };
  const isUndone = (id: string) => outcomes.get(id)?.outcome !== 'done';
  const unmet = (action: Action): string | null => {
    const open = knowledge.relied(action).filter((ids) => !done.has(ids));
    const undone = open.flatMap((ids) => ids.find(isUndone) ?? [])[0];
    if (undone === undefined) for (const ids of open) done.add(ids);
    return undone === undefined ? null : `not sent because it depends on ${undone}, which is not known to be done`;
  };
  const intended = (action: Action): Promise<PerformedAction | null> =>
    journal.intend(action).then(
      () => null,
      (error) => ({
        ...notAttempted(action, `not sent: ${error instanceof Error ? error.message : error}`),
        fatal: true,
      }),
    );
  const locked = (action: Action): PerformedAction | null => {
    const lost = journal.lostLock();
    return lost === null ? null : { ...notAttempted(action, `not sent: ${lost.message}`), fatal: true };
  };
  const before = (action: Action) => {
    const result = knowledge.before(action);
    // The lock comes last: a request may have waited for its quota and for a reading.
    const orLocked = (ended: PerformedAction | null) => ended ?? locked(action);
    return result instanceof Promise ? result.then(orLocked) : orLocked(result);
  };
  /** Tries until it does not wait any more for what readings may show. The limits are free for others meanwhile. */
  const whenShown = async <Result extends { readonly waits?: boolean } | null>(
    attempt: () => Result | Promise<Result>,
  ): Promise<Result> => {
    for (let tries = 0; ; tries += 1) {
      const performed = await attempt();
      if (performed?.waits !== true) return performed;
      await clock.sleep(backoffMs(tries), signal).catch(() => {});
      if (signal.aborted) return performed;
    }
  };
  /** The action as it is sent. The id in a response may be another item's, so nothing is given under it before it is read. */
  const resolved = async (planned: Action): Promise<Action | PerformedAction> => {
    if (!hasReference(planned) && !knowledge.mayBeLate(planned)) return planned;
    const ended = await whenShown(() => knowledge.before(planned));
    const action = { ...planned, request: knowledge.requestOf(planned) };
    if (ended !== null || !hasReference(action)) return ended ?? action;
    return notAttempted(planned, 'not sent: no reading shows the id of what it is for');
  };
  const sent = async (action: Action): Promise<PerformedAction> => {
    // A request may wait for a connection, and its process may be stopped meanwhile: then it needs both again.
    const isStillReady = () => !signal.aborted && knowledge.isRecent(action) && journal.lostLock() === null;
    const kind = options.kinds.find(({ name }) => name === action.kind);
    const asRead = (item: ItemRead) => {
      const moved = kind?.movedSince?.(action, item) ?? null;
      return moved === null ? null : movedOutcome(action, moved);
    };
    const ready = [() => before(action), isStillReady, asRead] as const;
    return whenShown(async () => {
      const performed = await connection.perform(action, ...ready);
      // What was sent and refused is never begun again: only its further tries wait.
      const mayWait = performed.outcome === 'not_attempted' || connection.mayResend(action.id);
      return mayWait ? performed : { ...performed, waits: false };
    });
  };
  /** An accepted deletion takes as long as the service likes. */
  const proved = async (action: Action, performed: PerformedAction): Promise<PerformedAction> => {
    if (performed.accepted !== true) return performed;
    await readUntilShown([action], { knowledge, clock, signal });
    return shownState(action, knowledge) === 'verified' ? { ...performed, outcome: 'done', message: null } : performed;
  };
  const recorded = (performed: PerformedAction): Promise<PerformedAction> =>
    journal.outcome(outcomeOf(performed)).then(
      () => performed,
      () => ({ ...performed, fatal: true }),
    );

  const perform = async (planned: Action): Promise<PerformedAction> => {
    const early = allowed(planned);
    if (early !== null) return early;
    const action = await resolved(planned);
    if ('outcome' in action)
      return action.outcome === 'done' ? ((await intended(planned)) ?? recorded(action)) : action;
    const unrecorded = await intended(action);
    if (unrecorded !== null) return unrecorded;
    const performed = await sent(action);
    knowledge.responded(planned, performed);
    return recorded(explained(options.kinds, action, await proved(planned, performed)));
  };
  const report = (action: Action, outcome: Outcome) => {
    outcomes.set(action.id, outcome);
    try {
      onOutcome(action, outcome);
    } catch (cause) {
      interrupt(action, cause);
    }
  };

  return {
    /** Never rejects: whatever happens, the action has an outcome. An action may be attempted again. */
    async attempt(action: Action): Promise<void> {
      const earlier = outcomes.get(action.id);
      const performed = await perform(action).catch((cause: unknown) => {
        interrupt(action, cause);
        return unknownOutcome(action);
      });
      if (performed.fatal) stop ??= `not sent: no request can succeed after ${action.id}`;
      const outcome = outcomeOf(performed);
      if (outcome.outcome === 'not_attempted' && earlier?.outcome === 'unknown')
        unsent.set(action.id, (unsent.get(action.id) ?? 0) + 1);
      else unsent.delete(action.id);
      if (earlier === undefined || outcome.outcome !== 'not_attempted') report(action, outcome);
      // What was sent before keeps its outcome; what was not has a newer reason.
      else if (earlier.outcome === 'not_attempted') outcomes.set(action.id, outcome);
    },
    /**
     * Whether a request that has a try left may be begun again. A tenant that takes longer to read than a reading may be old
     * would never see it.
     */
    mayBeginAgain: ({ id }: Action): boolean => (unsent.get(id) ?? 0) < mostUnsent && connection.mayResend(id),
    /** The outcomes so far, by id. */
    outcomes: outcomes as ReadonlyMap<string, Outcome>,
    /** Records and reports an outcome that a reading showed. */
    async conclude(action: Action, outcome: Outcome): Promise<void> {
      await journal.outcome(outcome).catch(() => {});
      report(action, outcome);
    },
    whenShown,
    /** Whether nothing is sent any more. */
    isStopped: () => stop !== null,
    /** An internal error that ended it early; null without one. */
    failure: () => failed,
  };
}

function outcomeOf({
  fatal: _fatal,
  waits: _waits,
  created: _created,
  accepted: _accepted,
  ...outcome
}: PerformedAction): Outcome {
  return outcome;
}

/** If a step throws, it is unknown whether the request was sent. */
function unknownOutcome({ id }: Action): PerformedAction {
  return { id, outcome: 'unknown', status: null, message: `internal error${inDoubt}` };
}

const taken = 'conflict: another item may have this identity by now; run plan again';

/** Adds to the message of a failed action how to fix it, as far as its kind knows. */
export function explained(
  kinds: readonly AnyKind[],
  action: Action,
  { refusal, ...performed }: PerformedAction,
): PerformedAction {
  const { outcome, status, message } = performed;
  const kind = kinds.find(({ name }) => name === action.kind);
  if (kind === undefined || outcome === 'done' || outcome === 'conflict' || message === null) return performed;
  const known = kind.fix?.(action, refusal === undefined ? message : `${message}; ${refusal}`) ?? null;
  const fix = known ?? (action.action === 'create' && status === 409 ? taken : null);
  return fix === null ? performed : { ...performed, message: `${message}; ${fix}` };
}
