import { itemId } from '../model/action-identity.ts';
import { levelsOf } from '../model/levels.ts';
import { inDoubt, type Outcome, type Perform, type PerformedAction } from '../model/outcome.ts';
import type { OutcomeSummary, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { unmetNeeds } from './unmet-needs.ts';

export interface ApplyOptions {
  /** When it aborts, requests in flight are finished and nothing more is sent. */
  readonly signal: AbortSignal;
  /** Called as each action ends; not for one that may be attempted again and is not. */
  readonly onOutcome: (action: Action, outcome: Outcome) => void;
  /** What an earlier round has done. */
  readonly before?: Before;
}

export interface Before {
  /** Outcomes by id, of every action; final, */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** except for these actions, which are attempted again. */
  readonly again: ReadonlySet<string>;
}

const nothing: Before = { outcomes: new Map(), again: new Set() };

/** An internal error in the middle of an apply: nothing more was sent, and these are the outcomes until then. */
export class ApplyInterrupted extends Error {
  override readonly name = 'ApplyInterrupted';
  readonly document: OutcomesDocument;

  constructor(document: OutcomesDocument, cause: unknown) {
    super('an apply was interrupted', { cause });
    this.document = document;
  }
}

/**
 * Sends the requests of a plan and nothing else, level after level. A failed action does not stop the others, unless
 * they need it or it shows that none can succeed. Every action has an outcome at the end. Throws an ApplyInterrupted
 * with the outcomes if performing or reporting throws.
 *
 *   create p, create q, add r | update s | delete t     three requests at once, then one, then one
 *   add r, add r (batch 2) | remove r                   never two at once for one role
 */
export async function applyPlan(
  plan: Plan,
  perform: Perform,
  { signal, onOutcome, before = nothing }: ApplyOptions,
): Promise<OutcomesDocument> {
  const outcomes = new Map([...before.outcomes].filter(([id]) => !before.again.has(id)));
  const needs = unmetNeeds(plan.actions, outcomes);
  let stop: string | null = null;
  const errors: unknown[] = [];
  const interrupt = (cause: unknown, { id }: Action) => {
    errors.push(cause);
    stop ??= `stopped by an internal error at ${id}`;
  };
  const attempt = async (action: Action): Promise<void> => {
    if (signal.aborted) stop ??= 'stopped by a signal';
    const why = stop ?? needs.reasonAgainst(action);
    const { fatal, ...performed } =
      why === null ? await orInterrupted(perform, action, interrupt) : notAttempted(action, why);
    if (fatal) stop ??= `stopped after ${action.id}: no later request can succeed`;
    const { returned: _returned, stored: _stored, ...outcome } = performed;
    const earlier = before.outcomes.get(action.id);
    if (earlier !== undefined && outcome.outcome === 'not_attempted') {
      // What was sent before keeps its outcome; what was not has a newer reason.
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
  for (const level of levelsOf(plan.actions)) {
    const open = level.filter(({ id }) => !outcomes.has(id));
    await performLevel(open, attempt);
    needs.endLevel(level);
  }
  const document = outcomesDocument(
    plan,
    plan.actions.flatMap(({ id }) => outcomes.get(id) ?? []),
  );
  if (errors.length > 0) throw new ApplyInterrupted(document, errors[0]);
  return document;
}

/** If performing throws, it is unknown whether the request was sent. */
async function orInterrupted(
  perform: Perform,
  action: Action,
  interrupt: (cause: unknown, action: Action) => void,
): Promise<PerformedAction> {
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

function notAttempted({ id }: Action, why: string): PerformedAction {
  return { id, outcome: 'not_attempted', status: null, message: why };
}

/** Outcomes in the order of the plan, and counted. */
export function outcomesDocument(plan: Plan, outcomes: Outcome[]): OutcomesDocument {
  const summary: OutcomeSummary = { done: 0, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 };
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { format_version: '2.0', plan, outcomes, summary, verification: null };
}

/**
 * Items of one kind, because kinds may have quotas of their own. The rate limiter decides how many requests are in
 * flight.
 */
const workersPerKind = 16;

/** Attempts all actions of a level: several items of each kind at once, the actions of one item in their order. */
export async function performLevel(
  actions: readonly Action[],
  attempt: (action: Action) => Promise<void>,
): Promise<void> {
  const byKind = groupBy(actions, ({ kind }) => kind);
  await Promise.all([...byKind.values()].map((ofKind) => performItems(groupBy(ofKind, itemId).values(), attempt)));
}

async function performItems(
  items: Iterator<readonly Action[]>,
  attempt: (action: Action) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (let item = items.next(); !item.done; item = items.next()) {
      for (const action of item.value) await attempt(action);
    }
  };
  await Promise.all(Array.from({ length: workersPerKind }, worker));
}
