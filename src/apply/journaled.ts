import type { Outcome, Perform } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';

/** Where the intent and the outcome of every request are recorded. Both reject if that fails. */
export interface ActionJournal {
  /** Resolves when the intent is durable. */
  intend(action: Action): Promise<void>;
  outcome(outcome: Outcome): Promise<void>;
}

/**
 * Performs actions with a record of the intent before and of the outcome after. An action whose intent cannot be
 * recorded is not sent. An outcome that cannot be recorded is still reported, and nothing is sent after it.
 */
export function journaled(perform: Perform, journal: ActionJournal): Perform {
  return async (action) => {
    const { id } = action;
    const unrecorded = await journal.intend(action).then(() => null, messageOf);
    if (unrecorded !== null)
      return { id, outcome: 'not_attempted', status: null, message: `not sent: ${unrecorded}`, fatal: true };
    const performed = await perform(action);
    const { fatal: _fatal, returned: _returned, stored: _stored, ...outcome } = performed;
    return journal.outcome(outcome).then(
      () => performed,
      () => ({ ...performed, fatal: true }),
    );
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
