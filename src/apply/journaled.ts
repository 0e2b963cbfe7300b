import type { Outcome, Perform } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';

/** Where the intent and the outcome of every request are kept. Both reject when they cannot be. */
export interface ActionJournal {
  /** Resolves when the intent survives whatever becomes of the run. */
  intend(action: Action): Promise<void>;
  outcome(outcome: Outcome): Promise<void>;
}

/**
 * Performs as before, between an intent and an outcome on record. What cannot be recorded is not sent, and when an outcome cannot
 * be, it is still true, but it is the last one.
 */
export function journaled(perform: Perform, journal: ActionJournal): Perform {
  return async (action) => {
    const { id } = action;
    const unrecorded = await journal.intend(action).then(() => null, messageOf);
    if (unrecorded !== null)
      return { id, outcome: 'not_attempted', status: null, message: `not sent: ${unrecorded}`, fatal: true };
    const performed = await perform(action);
    const { fatal: _fatal, ...outcome } = performed;
    return journal.outcome(outcome).then(
      () => performed,
      () => ({ ...performed, fatal: true }),
    );
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
