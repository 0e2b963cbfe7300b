import { ApplyInterrupted, type ApplyOptions, applyPlan } from '../apply/apply-plan.ts';
import { explaining } from '../apply/explaining.ts';
import { journaled } from '../apply/journaled.ts';
import { settleOutcomes } from '../apply/settle.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import { kinds } from '../kinds/index.ts';
import type { WriteConnection } from '../model/client.ts';
import type { KindName } from '../model/kind.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import { requestDigest } from '../plan/request-digest.ts';

export interface PerformTerms extends ApplyOptions {
  readonly connection: Pick<WriteConnection, 'perform' | 'reader'>;
  readonly journal: JournalWriter;
  readonly managed: ReadonlySet<KindName>;
  /** The plan made once more, over the same path, to settle what is unknown. */
  readonly planAgain: () => Promise<Plan>;
}

export interface Performed {
  readonly document: OutcomesDocument;
  /** A fault of our own that ended it early; null when there was none. */
  readonly fault: { readonly cause: unknown } | null;
}

/** Performs a plan on record, settles what it can, and closes the journal. A journal that failed says so itself. */
export async function performPlan(plan: Plan, terms: PerformTerms): Promise<Performed> {
  const { journal } = terms;
  try {
    const { document, fault } = await sendAll(plan, terms);
    const settled = await settleUnknown(document, terms);
    // The journal remembers its failure; what was sent is told all the same.
    await recordEnd(document, settled, journal).catch(() => {});
    return { document: settled, fault };
  } finally {
    await journal.close();
  }
}

async function sendAll(plan: Plan, { connection, journal, signal, onOutcome }: PerformTerms): Promise<Performed> {
  const perform = explaining(journaled(connection.perform, journal), kinds, connection.reader);
  try {
    return { document: await applyPlan(plan, perform, { signal, onOutcome }), fault: null };
  } catch (error) {
    if (!(error instanceof ApplyInterrupted)) throw error;
    return { document: error.document, fault: { cause: error.cause } };
  }
}

/** Nothing is sent twice in one run: what was not carried out is for the next one. A reading that fails leaves it unknown. */
async function settleUnknown(document: OutcomesDocument, { signal, managed, planAgain }: PerformTerms): Promise<OutcomesDocument> {
  if (document.summary.unknown === 0 || signal.aborted) return document;
  const fresh = await planAgain().catch(() => null);
  return fresh === null ? document : settleOutcomes(document, fresh, { digestOf: requestDigest, managed });
}

async function recordEnd(before: OutcomesDocument, after: OutcomesDocument, journal: JournalWriter): Promise<void> {
  for (const [index, outcome] of after.outcomes.entries()) {
    if (outcome.outcome !== before.outcomes[index]?.outcome) await journal.outcome(outcome);
  }
  await journal.end(after.summary);
}
