import type { Outcome, Perform } from '../model/outcome.ts';
import type { OutcomeSummary, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';

export interface ApplyOptions {
  /** When it aborts, the request in flight is finished and nothing more is sent. */
  readonly signal: AbortSignal;
  readonly onOutcome: (action: Action, outcome: Outcome) => void;
}

/**
 * Sends the requests of a plan in its order, one after the other, and nothing else. A failed action does not stop the others,
 * unless it shows that none can succeed; every action has an outcome at the end.
 */
export async function applyPlan(plan: Plan, perform: Perform, options: ApplyOptions): Promise<OutcomesDocument> {
  const outcomes: Outcome[] = [];
  let stop: string | null = null;
  for (const action of plan.actions) {
    if (options.signal.aborted) stop ??= 'stopped by a signal';
    const { fatal, ...outcome } = stop === null ? await perform(action) : notAttempted(action, stop);
    if (fatal) stop = `stopped, because nothing more can succeed after ${action.id}`;
    outcomes.push(outcome);
    options.onOutcome(action, outcome);
  }
  return outcomesDocument(plan, outcomes);
}

/** The document for a plan that was refused before its first request. */
export function refusedOutcomes(plan: Plan, why: string): OutcomesDocument {
  return outcomesDocument(
    plan,
    plan.actions.map((action) => notAttempted(action, why)),
  );
}

function notAttempted(action: Action, why: string): Outcome & { readonly fatal?: boolean } {
  return { id: action.id, outcome: 'not_attempted', status: null, message: why };
}

function outcomesDocument(plan: Plan, outcomes: Outcome[]): OutcomesDocument {
  const summary: OutcomeSummary = { done: 0, failed: 0, not_attempted: 0, unknown: 0 };
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { format_version: '1.0', plan, outcomes, summary };
}
