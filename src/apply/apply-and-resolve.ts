import type { NextTry, Outcome, Perform, PerformedAction, ReadyAgain } from '../model/outcome.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan, PlannedRequest } from '../model/plan.generated.ts';
import { ApplyInterrupted, type ApplyOptions, applyPlan } from './apply-plan.ts';
import type { ManagedKinds } from './compare-fresh.ts';
import { type ResolvedRun, resolveRun } from './resolve-unknown.ts';
import { type ResultReferences, resultReferences } from './result-references.ts';

export interface ApplyAndResolveOptions extends Pick<ApplyOptions, 'signal' | 'onOutcome'> {
  readonly readyAgain: ReadyAgain;
  readonly managed: ManagedKinds;
  /** Makes the plan again, over the same path, for these items alone; for the entire kind where the key is null. */
  readonly planAgain: (about: readonly Action[]) => Promise<Plan>;
  /** Requests that a reading has shown, by id of the action: what they refer to was created earlier. */
  readonly adopted?: ReadonlyMap<string, PlannedRequest>;
  /** How an action has ended that needs no request; null if it may still be sent. */
  readonly ended?: (id: string) => PerformedAction | null;
  /** Records an outcome that a reading showed. */
  readonly record: (outcome: Outcome) => Promise<void>;
}

export interface Performed {
  readonly document: OutcomesDocument;
  /** An internal error that ended it early; null without one. */
  readonly error: { readonly cause: unknown } | null;
}

/**
 * Performs a plan, and reads unknown outcomes again. Requests that were not carried out are resent if that may help,
 * followed by the actions that need them. Each round learns an outcome or uses one try of a request, so it ends.
 *
 *   create p: reset     read again: it exists            done
 *   create q: reset     read again: it does not exist    sent again: done
 *   delete r            waited for q                     sent now
 */
export async function applyAndResolve(
  plan: Plan,
  perform: Perform,
  options: ApplyAndResolveOptions,
): Promise<Performed> {
  const references = resultReferences(perform, options.adopted, options.ended);
  let performed = await send(plan, references, options);
  for (;;) {
    const run = await resolveAgain(performed, references, options).catch((cause: unknown) => ({ cause }));
    if (run === null) return performed;
    if ('cause' in run) return { document: performed.document, error: performed.error ?? run };
    const resolved = run.document.outcomes.filter(({ id }) => run.resolved.has(id));
    const failure = await reportOutcomes(run.document, resolved, options);
    performed = { document: run.document, error: performed.error ?? failure };
    const again = worthSending(run);
    if (again.size === 0 || performed.error !== null) return performed;
    for (const action of plan.actions) {
      const request = run.waiting.get(action.id);
      if (request !== undefined) references.adopt(action, request);
    }
    const outcomes = new Map(run.document.outcomes.map((outcome) => [outcome.id, outcome]));
    performed = await send(plan, references, { ...options, before: { outcomes, again } });
  }
}

async function send(plan: Plan, { perform }: ResultReferences, options: ApplyOptions): Promise<Performed> {
  try {
    return { document: await applyPlan(plan, perform, options), error: null };
  } catch (error) {
    if (!(error instanceof ApplyInterrupted)) throw error;
    return { document: error.document, error: { cause: error.cause } };
  }
}

/** Null if nothing is unknown, or if the reading fails: then it stays unknown. */
async function resolveAgain(
  { document: { plan, outcomes, summary }, error }: Performed,
  { requestOf }: ResultReferences,
  options: ApplyAndResolveOptions,
): Promise<ResolvedRun | null> {
  if (summary.unknown === 0) return null;
  // Waiting comes before reading: what it shows must still be true when the next try is sent.
  const nextTries = error === null ? await triesOf(outcomes, options) : new Map<string, NextTry>();
  if (options.signal.aborted) return null;
  const open = new Set(
    outcomes.filter(({ outcome }) => outcome === 'unknown' || outcome === 'not_attempted').map(({ id }) => id),
  );
  const fresh = await options.planAgain(plan.actions.filter(({ id }) => open.has(id))).catch(() => null);
  return fresh === null ? null : resolveRun({ plan, outcomes }, fresh, nextTries, { ...options, requestOf });
}

async function triesOf(
  outcomes: readonly Outcome[],
  { readyAgain }: ApplyAndResolveOptions,
): Promise<ReadonlyMap<string, NextTry>> {
  const unknown = outcomes.filter(({ outcome }) => outcome === 'unknown');
  return new Map(await Promise.all(unknown.map(async ({ id }) => [id, await readyAgain(id)] as const)));
}

/** Records and reports outcomes that a reading showed; returns an internal error of reporting. */
export async function reportOutcomes(
  { plan }: Pick<OutcomesDocument, 'plan'>,
  outcomes: readonly Outcome[],
  { record, onOutcome }: Pick<ApplyAndResolveOptions, 'record' | 'onOutcome'>,
): Promise<Performed['error']> {
  const actions = new Map(plan.actions.map((action) => [action.id, action]));
  let failure: Performed['error'] = null;
  for (const outcome of outcomes) {
    const action = actions.get(outcome.id);
    if (action === undefined) continue;
    try {
      await record(outcome);
      onOutcome(action, outcome);
    } catch (cause) {
      failure ??= { cause };
    }
  }
  return failure;
}

/** What is sent again, and what waited for something that is known by now. */
function worthSending({ resolved, undone, again, waiting }: ResolvedRun): ReadonlySet<string> {
  const isNews = again.size > 0 || resolved.size > undone.size;
  return new Set(isNews ? [...again, ...waiting.keys()] : []);
}
