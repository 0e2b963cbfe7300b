import type { Outcome, Perform } from '../model/outcome.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import { ApplyInterrupted, type ApplyOptions, applyPlan, outcomesDocument } from './apply-plan.ts';
import { itemOf } from './item-of.ts';
import { type SettledRun, type SettleTerms, settleRun } from './settle.ts';

export interface ApplyAndSettleTerms extends Pick<ApplyOptions, 'signal' | 'onOutcome'>, SettleTerms {
  /** See WriteConnection. */
  readonly mayRepeat: (id: string) => boolean;
  /** The plan made once more, over the same path, about the given items (`KIND/KEY`) alone. */
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
  let performed = await send(plan, perform, nothingSent, terms);
  for (;;) {
    const settled = await settleUnknown(performed.document, terms);
    if (settled === null) return performed;
    performed = { document: settled.document, fault: performed.fault ?? (await tellSettled(settled, terms)) };
    const again = performed.fault === null ? worthSending(settled, terms) : nothingSent.again;
    if (again.size === 0) return performed;
    performed = await send(plan, perform, { outcomes: settled.document.outcomes, again }, terms);
  }
}

interface SentBefore {
  readonly outcomes: readonly Outcome[];
  /** Ids of actions that have another turn. */
  readonly again: ReadonlySet<string>;
}

const nothingSent: SentBefore = { outcomes: [], again: new Set() };

async function send(plan: Plan, perform: Perform, { outcomes, again }: SentBefore, { signal, onOutcome }: ApplyAndSettleTerms): Promise<Performed> {
  const earlier = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const kept = new Map([...earlier].filter(([id]) => !again.has(id)));
  // What did not get its second turn is as it was after the first.
  const standing = (document: OutcomesDocument) =>
    outcomesDocument(
      plan,
      document.outcomes.map((outcome) => (outcome.outcome === 'not_attempted' ? (earlier.get(outcome.id) ?? outcome) : outcome)),
    );
  try {
    return { document: standing(await applyPlan(plan, perform, { signal, onOutcome, kept })), fault: null };
  } catch (error) {
    if (!(error instanceof ApplyInterrupted)) throw error;
    return { document: standing(error.document), fault: { cause: error.cause } };
  }
}

/** Null when nothing is unknown, or when nobody can tell: a reading that fails leaves it unknown. */
async function settleUnknown({ plan, outcomes, summary }: OutcomesDocument, terms: ApplyAndSettleTerms): Promise<SettledRun | null> {
  if (summary.unknown === 0 || terms.signal.aborted) return null;
  const open = new Set(outcomes.filter(({ outcome }) => outcome === 'unknown' || outcome === 'not_attempted').map(({ id }) => id));
  const items = new Set(plan.actions.filter(({ id }) => open.has(id)).map(itemOf));
  const fresh = await terms.planAgain([...items]).catch(() => null);
  return fresh === null ? null : settleRun({ plan, outcomes }, fresh, terms);
}

/** Puts on record what was settled, and tells it; answers with a fault of our own in telling. */
async function tellSettled({ document, told }: SettledRun, { record, onOutcome }: ApplyAndSettleTerms): Promise<Performed['fault']> {
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
function worthSending({ document: { outcomes }, told, left }: SettledRun, { mayRepeat }: ApplyAndSettleTerms): ReadonlySet<string> {
  const idsOf = (wanted: Outcome['outcome'], among: ReadonlySet<string>) =>
    outcomes.filter(({ id, outcome }) => outcome === wanted && among.has(id)).map(({ id }) => id);
  const repeated = idsOf('failed', left).filter(mayRepeat);
  const isNews = repeated.length > 0 || idsOf('done', told).length > 0;
  return new Set(isNews ? [...repeated, ...idsOf('not_attempted', left)] : []);
}
