import type { NextTurn, Outcome, Perform, ReadyAgain } from '../model/outcome.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import { ApplyInterrupted, type ApplyOptions, applyPlan } from './apply-plan.ts';
import { itemOf } from './item-of.ts';
import { type SettledRun, type SettleTerms, settleRun } from './settle.ts';

export interface ApplyAndSettleTerms extends Pick<ApplyOptions, 'signal' | 'onOutcome'>, SettleTerms {
  readonly readyAgain: ReadyAgain;
  /** The plan made once more, over the same path, about the given kinds or items (`KIND/KEY`) alone. */
  readonly planAgain: (items: readonly string[]) => Promise<Plan>;
  /** Puts on record what a reading told. */
  readonly record: (outcome: Outcome) => Promise<void>;
}

export interface Performed {
  readonly document: OutcomesDocument;
  /** A fault of our own that ended it early; null when there was none. */
  readonly fault: { readonly cause: unknown } | null;
}

/**
 * Performs a plan, and reads again what is unknown. What turns out not to have been carried out is sent once more, where that may
 * help, and so is what waited for it. Each round needs an answer that was not known before, or takes one of the tries of a request,
 * so there is an end.
 *
 *   create p: reset     read again: it is there        done
 *   create q: reset     read again: it is not there    sent again: done
 *   delete r            waited for q                   now it is sent
 */
export async function applyAndSettle(plan: Plan, perform: Perform, terms: ApplyAndSettleTerms): Promise<Performed> {
  let performed = await send(plan, perform, terms);
  for (;;) {
    const settled = await settleUnknown(performed, terms);
    if (settled === null) return performed;
    const untold = await tellSettled(settled, terms);
    performed = { document: settled.document, fault: performed.fault ?? untold };
    const again = worthSending(settled);
    if (again.size === 0 || performed.fault !== null) return performed;
    const outcomes = new Map(settled.document.outcomes.map((outcome) => [outcome.id, outcome]));
    performed = await send(plan, perform, { ...terms, before: { outcomes, again } });
  }
}

async function send(plan: Plan, perform: Perform, options: ApplyOptions): Promise<Performed> {
  try {
    return { document: await applyPlan(plan, perform, options), fault: null };
  } catch (error) {
    if (!(error instanceof ApplyInterrupted)) throw error;
    return { document: error.document, fault: { cause: error.cause } };
  }
}

/** More items than this are read by kind: picking them one by one would take longer. */
const mostPicked = 50;

/** Null when nothing is unknown, or when nobody can tell: a reading that fails leaves it unknown. */
async function settleUnknown(
  { document: { plan, outcomes, summary }, fault }: Performed,
  terms: ApplyAndSettleTerms,
): Promise<SettledRun | null> {
  if (summary.unknown === 0) return null;
  // First the waiting, then the reading: what it shows must still be so when the next try leaves.
  const turns = fault === null ? await nextTurns(outcomes, terms) : new Map<string, NextTurn>();
  if (terms.signal.aborted) return null;
  const ids = new Set(
    outcomes.filter(({ outcome }) => outcome === 'unknown' || outcome === 'not_attempted').map(({ id }) => id),
  );
  const open = plan.actions.filter(({ id }) => ids.has(id));
  const items = new Set(open.map(itemOf));
  const only = items.size > mostPicked ? new Set(open.map(({ kind }) => kind)) : items;
  const fresh = await terms.planAgain([...only]).catch(() => null);
  return fresh === null ? null : settleRun({ plan, outcomes }, fresh, turns, terms);
}

async function nextTurns(
  outcomes: readonly Outcome[],
  { readyAgain }: ApplyAndSettleTerms,
): Promise<ReadonlyMap<string, NextTurn>> {
  const unknown = outcomes.filter(({ outcome }) => outcome === 'unknown');
  return new Map(await Promise.all(unknown.map(async ({ id }) => [id, await readyAgain(id)] as const)));
}

/** Puts on record what was settled, and tells it; answers with a fault of our own in telling. */
async function tellSettled(
  { document, told }: SettledRun,
  { record, onOutcome }: ApplyAndSettleTerms,
): Promise<Performed['fault']> {
  const actions = new Map(document.plan.actions.map((action) => [action.id, action]));
  let fault: Performed['fault'] = null;
  for (const outcome of document.outcomes.filter(({ id }) => told.has(id))) {
    const action = actions.get(outcome.id);
    if (action === undefined) continue;
    try {
      await record(outcome);
      onOutcome(action, outcome);
    } catch (cause) {
      fault ??= { cause };
    }
  }
  return fault;
}

/** What is to be sent once more, and what waited for something that is known by now. */
function worthSending({ told, undone, again, waiting }: SettledRun): ReadonlySet<string> {
  const isNews = again.size > 0 || told.size > undone.size;
  return new Set(isNews ? [...again, ...waiting] : []);
}
