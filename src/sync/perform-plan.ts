import {
  type ApplyAndResolveOptions,
  applyAndResolve,
  type Performed,
  reportOutcomes,
} from '../apply/apply-and-resolve.ts';
import type { ManagedKinds } from '../apply/compare-fresh.ts';
import { explaining } from '../apply/explaining.ts';
import type { FreshKnowledge } from '../apply/fresh-knowledge.ts';
import { journaled } from '../apply/journaled.ts';
import { type VerifyOptions, verify } from '../apply/verify.ts';
import type { ApplyState } from '../journal/open-apply-state.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import type { WriteConnection } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Outcome, PerformedAction } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import type { Session } from './connected.ts';
import { recordResolved } from './last-apply.ts';
import type { ApplyOptions } from './options.ts';
import { planAgain } from './read-plan.ts';
import type { Applied } from './results.ts';

export interface PerformInput {
  readonly session: Session<WriteConnection>;
  readonly state: ApplyState;
  readonly managed: ManagedKinds;
  readonly knowledge: FreshKnowledge;
  readonly options: Pick<ApplyOptions, 'verify'>;
  /** The plan that was made now; not the plan that is performed if that was saved. */
  readonly now: Plan;
  /** Whether this apply resumes an interrupted one of the same saved plan. */
  readonly resumes: boolean;
}

/** Performs a plan that was confirmed. */
export async function performPlan(plan: Plan, input: PerformInput): Promise<Applied> {
  const { session, state, managed, knowledge, now, resumes } = input;
  const { connection, emit, options } = session;
  const { kinds, clock, signal = new AbortController().signal } = options;
  const journal = await state.begin(plan.digest, resumes ? 'resume' : 'anew');
  if (resumes && state.last !== null) await recordResolved(journal, state.last, now, managed);
  let thrown: Performed['error'] = null;
  const onAbort = () => {
    try {
      emit({ type: 'stopping' });
    } catch (cause) {
      // Rethrown here, it would end the process: no caller awaits the handler of a signal.
      thrown = { cause };
    }
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const { document, error } = await performOnRecord(plan, {
    connection,
    journal,
    kinds,
    managed,
    signal,
    clock,
    knowledge,
    verifies: input.options.verify ?? true,
    planAgain: (about) => planAgain(session, about, plan.selection),
    onOutcome: (action, outcome) => emit({ type: 'action_ended', action, outcome }),
  }).finally(() => signal.removeEventListener('abort', onAbort));
  const diagnostics = journal.failure === null ? [] : [journal.failure.diagnostic];
  const bug = error ?? thrown;
  const isDone = document.summary.done === plan.actions.length;
  const isVerified = document.verification?.result !== 'not_read';
  return {
    status: 'applied',
    outcomes: document,
    complete: isDone && isVerified && bug === null && diagnostics.length === 0,
    diagnostics,
    bug,
  };
}

export interface RecordOptions extends Pick<ApplyAndResolveOptions, 'signal' | 'onOutcome' | 'managed' | 'planAgain'> {
  readonly kinds: readonly AnyKind[];
  readonly connection: Pick<WriteConnection, 'perform' | 'readyAgain' | 'reader'>;
  readonly journal: JournalWriter;
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  readonly knowledge: Pick<FreshKnowledge, 'before' | 'isRecent' | 'adopted' | 'ended'>;
  readonly verifies: boolean;
}

/**
 * Performs a plan with a journal, resolves unknown outcomes if possible, verifies what was written, and closes the
 * journal.
 */
export async function performOnRecord(
  plan: Plan,
  { connection, journal, kinds, knowledge, verifies, clock, ...options }: RecordOptions,
): Promise<Performed> {
  // The journal keeps its failure; the outcomes of requests that were sent are still reported.
  const ignoringFailure = (writing: Promise<void>) => writing.catch(() => {});
  const shown = new Set<string>();
  const contradicted = new Set<string>();
  const send: typeof connection.perform = async (action) => {
    const before = () => {
      const result = knowledge.before(action);
      // Last of all: a request may have waited for its quota and for a reading.
      const orLocked = (ended: PerformedAction | null) => ended ?? withoutLock(action, journal);
      return result instanceof Promise ? result.then(orLocked) : orLocked(result);
    };
    const performed = await connection.perform(action, before, () => knowledge.isRecent(action));
    // What needed no request was read before.
    const wasRead = performed.outcome === 'done' && performed.status === null;
    if (performed.stored === 'as_sent' || wasRead) shown.add(action.id);
    if (performed.stored === 'differs') contradicted.add(action.id);
    return performed;
  };
  const record = (outcome: Outcome) => ignoringFailure(journal.outcome(outcome));
  try {
    const perform = explaining(journaled(send, journal), kinds, connection.reader);
    const performed = await applyAndResolve(plan, perform, {
      ...options,
      adopted: knowledge.adopted,
      ended: knowledge.ended,
      readyAgain: connection.readyAgain,
      record,
    });
    const verified = await verifyPerformed(performed, {
      ...options,
      clock,
      shown,
      contradicted,
      isWanted: verifies,
      record,
    });
    await ignoringFailure(journal.end(verified.document.summary));
    return verified;
  } finally {
    await journal.close();
  }
}

/** Null while the apply has its lock. */
function withoutLock({ id }: Action, journal: JournalWriter): PerformedAction | null {
  const lost = journal.lostLock();
  if (lost === null) return null;
  return { id, outcome: 'not_attempted', status: null, message: `not sent: ${lost.message}`, fatal: true };
}

interface VerifyPerformedOptions extends VerifyOptions, Pick<ApplyAndResolveOptions, 'onOutcome' | 'record'> {}

/** After an internal error nothing more is read. */
async function verifyPerformed(performed: Performed, options: VerifyPerformedOptions): Promise<Performed> {
  if (performed.error !== null) return performed;
  try {
    const { document, changed } = await verify(performed.document, options);
    const failure = await reportOutcomes(document, changed, options);
    return { document, error: failure };
  } catch (cause) {
    return { document: performed.document, error: { cause } };
  }
}
