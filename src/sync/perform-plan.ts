import { type ApplyAndResolveOptions, applyAndResolve, type Performed } from '../apply/apply-and-resolve.ts';
import { explaining } from '../apply/explaining.ts';
import { journaled } from '../apply/journaled.ts';
import type { ManagedKinds } from '../apply/resolve-unknown.ts';
import type { ApplyState } from '../journal/open-apply-state.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import type { WriteConnection } from '../model/client.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import { selectorText } from '../values/selector.ts';
import type { Session } from './connected.ts';
import { recordResolved } from './last-apply.ts';
import { planFor } from './read-plan.ts';
import type { Applied } from './results.ts';

export interface PerformInput {
  readonly session: Session<WriteConnection>;
  readonly state: ApplyState;
  readonly managed: ManagedKinds;
  /** The saved plan that this apply resumes, or null. */
  readonly resumed: Plan | null;
}

/** Performs a plan that was confirmed. */
export async function performPlan(plan: Plan, { session, state, managed, resumed }: PerformInput): Promise<Applied> {
  const { connection, emit, options } = session;
  const { kinds, signal = new AbortController().signal } = options;
  const journal = await state.begin((resumed ?? plan).digest, resumed === null ? 'anew' : 'resume');
  if (resumed !== null && state.last !== null) await recordResolved(journal, state.last, plan, managed);
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
    planAgain: (items) => planFor(session, { ...plan.selection, only: items.map(selectorText) }),
    onOutcome: (action, outcome) => emit({ type: 'action_ended', action, outcome }),
  }).finally(() => signal.removeEventListener('abort', onAbort));
  const diagnostics = journal.failure === null ? [] : [journal.failure.diagnostic];
  const bug = error ?? thrown;
  const isDone = document.summary.done === plan.actions.length;
  return {
    status: 'applied',
    outcomes: document,
    complete: isDone && bug === null && diagnostics.length === 0,
    diagnostics,
    bug,
  };
}

export interface RecordOptions extends Pick<ApplyAndResolveOptions, 'signal' | 'onOutcome' | 'managed' | 'planAgain'> {
  readonly kinds: readonly AnyKind[];
  readonly connection: Pick<WriteConnection, 'perform' | 'readyAgain' | 'reader'>;
  readonly journal: JournalWriter;
}

/** Performs a plan with a journal, resolves unknown outcomes if possible, and closes the journal. */
export async function performOnRecord(
  plan: Plan,
  { connection, journal, kinds, ...options }: RecordOptions,
): Promise<Performed> {
  // The journal keeps its failure; the outcomes of requests that were sent are still reported.
  const ignoringFailure = (writing: Promise<void>) => writing.catch(() => {});
  try {
    const perform = explaining(journaled(connection.perform, journal), kinds, connection.reader);
    const performed = await applyAndResolve(plan, perform, {
      ...options,
      readyAgain: connection.readyAgain,
      record: (outcome) => ignoringFailure(journal.outcome(outcome)),
    });
    await ignoringFailure(journal.end(performed.document.summary));
    return performed;
  } finally {
    await journal.close();
  }
}
