import type { Outcome, Perform } from '../model/outcome.ts';
import type { OutcomeSummary, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';

export interface ApplyOptions {
  /** When it aborts, the request in flight is finished and nothing more is sent. */
  readonly signal: AbortSignal;
  readonly onOutcome: (action: Action, outcome: Outcome) => void;
}

/** A fault of our own in the middle of an apply: nothing more was sent, and this is what had become of every action by then. */
export class ApplyInterrupted extends Error {
  override readonly name = 'ApplyInterrupted';
  readonly document: OutcomesDocument;

  constructor(document: OutcomesDocument, cause: unknown) {
    super('an apply was interrupted', { cause });
    this.document = document;
  }
}

/**
 * Sends the requests of a plan in its order, one after the other, and nothing else. A failed action does not stop the others,
 * unless it shows that none can succeed, or that they would take away what it was to replace; every action has an outcome at
 * the end. Throws an ApplyInterrupted, which has them too, when performing or telling throws.
 */
export async function applyPlan(plan: Plan, perform: Perform, options: ApplyOptions): Promise<OutcomesDocument> {
  const outcomes: Outcome[] = [];
  const missed = missedGrants();
  let stop: string | null = null;
  const faults: unknown[] = [];
  const interrupt = (cause: unknown, { id }: Action) => {
    faults.push(cause);
    stop ??= `stopped, because of a fault of tenant-sync itself at ${id}`;
  };
  for (const action of plan.actions) {
    if (options.signal.aborted) stop ??= 'stopped by a signal';
    const why = stop ?? missed.reasonAgainst(action);
    const { fatal, ...outcome } = why === null ? await orInterrupted(perform, action, interrupt) : notAttempted(action, why);
    if (fatal) stop ??= `stopped, because nothing more can succeed after ${action.id}`;
    if (outcome.outcome !== 'done') missed.add(action);
    outcomes.push(outcome);
    try {
      options.onOutcome(action, outcome);
    } catch (error) {
      interrupt(error, action);
    }
  }
  const document = outcomesDocument(plan, outcomes);
  if (faults.length > 0) throw new ApplyInterrupted(document, faults[0]);
  return document;
}

/** Whether a request had left when performing it threw, nobody knows. */
async function orInterrupted(perform: Perform, action: Action, interrupt: (cause: unknown, action: Action) => void): ReturnType<Perform> {
  try {
    return await perform(action);
  } catch (error) {
    interrupt(error, action);
    return { id: action.id, outcome: 'unknown', status: null, message: 'a fault of tenant-sync itself; it may have been carried out' };
  }
}

/**
 * What takes away waits for what grants: a role loses nothing unless it got what the plan adds to it, and nothing of a kind is
 * deleted unless what the plan creates of it is there. A stream that is renamed in the files is a creation and a deletion.
 */
function missedGrants() {
  const byRole = new Map<string, string>();
  const byKind = new Map<string, string>();
  const roleOf = ({ kind, key }: Action) => `${kind}/${key}`;
  return {
    add(action: Action): void {
      if (action.action === 'add') byRole.set(roleOf(action), action.id);
      if (action.action === 'create') byKind.set(action.kind, action.id);
    },
    reasonAgainst(action: Action): string | null {
      const missed = action.action === 'remove' ? byRole.get(roleOf(action)) : action.action === 'delete' ? byKind.get(action.kind) : undefined;
      return missed === undefined ? null : `not sent, because ${missed} was to come first and was not known to be done`;
    },
  };
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

/** Outcomes in the order of the plan, and counted. */
export function outcomesDocument(plan: Plan, outcomes: Outcome[]): OutcomesDocument {
  const summary: OutcomeSummary = { done: 0, failed: 0, not_attempted: 0, unknown: 0 };
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { format_version: '1.0', plan, outcomes, summary };
}
