import { inDoubt, type Outcome, type Perform } from '../model/outcome.ts';
import type { OutcomeSummary, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { missedGrants } from './missed-grants.ts';
import { inLanes, stagesOf } from './turns.ts';

export interface ApplyOptions {
  /** When it aborts, the requests under way are finished and nothing more is sent. */
  readonly signal: AbortSignal;
  /** Called as each action ends; not for one that has another turn and does not get it. */
  readonly onOutcome: (action: Action, outcome: Outcome) => void;
  /** A part of the plan has been performed. */
  readonly before?: Before;
}

export interface Before {
  /** Of every action, by id. They stand, */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** except for these, which have another turn. */
  readonly again: ReadonlySet<string>;
}

const nothing: Before = { outcomes: new Map(), again: new Set() };

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
 * Sends the requests of a plan and nothing else: stage after stage in its order, those of a stage together, those of one item one
 * after the other. A failed action does not stop the others, unless it shows that none can succeed, or that they would take away
 * what it was to replace; every action has an outcome at the end. Throws an ApplyInterrupted, which has them too, when performing
 * or telling throws.
 *
 *   create p, create q, add r | update s | delete t     three requests at once, then one, then one
 *   add r, add r (continued) | remove r                 never two at once for one role
 */
export async function applyPlan(
  plan: Plan,
  perform: Perform,
  { signal, onOutcome, before = nothing }: ApplyOptions,
): Promise<OutcomesDocument> {
  const outcomes = new Map([...before.outcomes].filter(([id]) => !before.again.has(id)));
  const missed = missedGrants();
  let stop: string | null = null;
  const faults: unknown[] = [];
  const interrupt = (cause: unknown, { id }: Action) => {
    faults.push(cause);
    stop ??= `stopped by an internal error at ${id}`;
  };
  const attempt = async (action: Action): Promise<void> => {
    if (signal.aborted) stop ??= 'stopped by a signal';
    const why = stop ?? missed.reasonAgainst(action);
    const { fatal, ...outcome } =
      why === null ? await orInterrupted(perform, action, interrupt) : notAttempted(action, why);
    if (fatal) stop ??= `stopped after ${action.id}: no later request can succeed`;
    const earlier = before.outcomes.get(action.id);
    if (earlier !== undefined && outcome.outcome === 'not_attempted') {
      // What was sent before is as it was then; for what was not, there is a newer reason.
      outcomes.set(action.id, earlier.outcome === 'not_attempted' ? outcome : earlier);
      return;
    }
    outcomes.set(action.id, outcome);
    try {
      onOutcome(action, outcome);
    } catch (error) {
      interrupt(error, action);
    }
  };
  for (const stage of stagesOf(plan.actions)) {
    const open = stage.filter(({ id }) => !outcomes.has(id));
    await inLanes(open, attempt);
    for (const action of stage) if (outcomes.get(action.id)?.outcome !== 'done') missed.add(action);
  }
  const document = outcomesDocument(
    plan,
    plan.actions.flatMap(({ id }) => outcomes.get(id) ?? []),
  );
  if (faults.length > 0) throw new ApplyInterrupted(document, faults[0]);
  return document;
}

/** Whether a request had left when performing it threw, nobody knows. */
async function orInterrupted(
  perform: Perform,
  action: Action,
  interrupt: (cause: unknown, action: Action) => void,
): ReturnType<Perform> {
  try {
    return await perform(action);
  } catch (error) {
    interrupt(error, action);
    return { id: action.id, outcome: 'unknown', status: null, message: `internal error${inDoubt}` };
  }
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
