import { inDoubt, notAttempted, type Outcome } from '../model/outcome.ts';
import type { OutcomeSummary, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { canBeRead } from './compare-plans.ts';
import { type ApplyPlanOptions, openPipeline, type Pipeline } from './pipeline.ts';
import { schedule } from './schedule.ts';
import { verify } from './verify.ts';

export interface Performed {
  readonly document: OutcomesDocument;
  /** An internal error that ended it early; null without one. */
  readonly error: { readonly cause: unknown } | null;
}

/**
 * Sends the requests of a plan and nothing else, reads what is unknown, and verifies at the end what it wrote. A failed
 * action does not stop the others, unless they rely on it or it shows that none can succeed. Every action has an outcome.
 *
 *   create p: reset     read again: it exists            done
 *   create q: reset     read again: it does not exist    sent again: done
 *   delete r            waited for q                     sent now
 */
export async function applyPlan(plan: Plan, options: ApplyPlanOptions): Promise<Performed> {
  const pipeline = openPipeline(options);
  let verification: OutcomesDocument['verification'] = null;
  let error: Performed['error'] = null;
  try {
    // Each round learns an outcome, or uses one try of a request or one of the few times that it is not sent, so it ends.
    for (let open = plan.actions; open.length > 0; ) {
      await schedule(open, options.knowledge.relied, pipeline.attempt);
      open = await nextRound(plan, pipeline, options);
    }
    if (pipeline.failure() === null) verification = await verify(plan.actions, pipeline, options);
  } catch (cause) {
    error = { cause };
  }
  const outcomes = plan.actions.flatMap(({ id }) => pipeline.outcomes.get(id) ?? []);
  const document = { ...outcomesDocument(plan, outcomes), verification };
  return { document, error: pipeline.failure() ?? error };
}

/**
 * Reads the items of unknown outcomes and of what was not attempted. Returns what to attempt now: requests that were not
 * carried out and have a try left, and what waited for something that is known by now.
 */
async function nextRound(
  { actions }: Plan,
  pipeline: Pipeline,
  { knowledge, signal }: ApplyPlanOptions,
): Promise<Action[]> {
  const withOutcome = (wanted: Outcome['outcome']) =>
    actions.filter(({ id }) => pipeline.outcomes.get(id)?.outcome === wanted);
  const unknown = withOutcome('unknown').filter(canBeRead);
  if (unknown.length === 0 || pipeline.failure() !== null || signal.aborted) return [];
  const waiting = withOutcome('not_attempted').filter(canBeRead);
  // A reading that fails leaves it unknown.
  const { isRead, waits } = await pipeline.whenShown(() =>
    knowledge.readAgain([...unknown, ...waiting]).then(
      () => ({ isRead: true, waits: unknown.some(knowledge.mayBeLate) }),
      () => ({ isRead: false, waits: false }),
    ),
  );
  if (!isRead || waits) return [];
  const again: Action[] = [];
  let done = 0;
  for (const action of unknown) {
    const outcome = pipeline.outcomes.get(action.id);
    const state = knowledge.shown(action)?.state;
    if (outcome === undefined) continue;
    if (state === 'unchanged' && pipeline.mayBeginAgain(action)) again.push(action);
    else if (state === 'unchanged') await pipeline.conclude(action, notShown(outcome));
    if (state !== 'reached') continue;
    done += 1;
    await pipeline.conclude(action, {
      ...outcome,
      outcome: 'done',
      message: 'verified by reading: it was carried out',
    });
  }
  return again.length + done === 0 || pipeline.isStopped()
    ? []
    : actions.filter((action) => again.includes(action) || waiting.includes(action));
}

/** The service may show later what it does not show yet, so it stays unknown. */
function notShown(outcome: Outcome): Outcome {
  // Another client has changed the item, before or after the tries: what is needed now shows nothing about them.
  if (outcome.conflict !== undefined) return outcome;
  const reason = outcome.message === null ? '' : `${outcome.message.replace(inDoubt, '')}; `;
  return { ...outcome, message: `${reason}a reading does not show it` };
}

/** The document for a plan that was refused before its first request. */
export function refusedOutcomes(plan: Plan, why: string): OutcomesDocument {
  return outcomesDocument(
    plan,
    plan.actions.map((action) => notAttempted(action, why)),
  );
}

/** Outcomes in the order of the plan, and counted. */
export function outcomesDocument(plan: Plan, outcomes: Outcome[]): OutcomesDocument {
  const summary: OutcomeSummary = { done: 0, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 };
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { format_version: '2.0', plan, outcomes, summary, verification: null };
}
