import { type ApplyAndResolveOptions, applyAndResolve, type Performed } from '../apply/apply-and-resolve.ts';
import { explaining } from '../apply/explaining.ts';
import { journaled } from '../apply/journaled.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import { kinds } from '../kinds/index.ts';
import type { WriteConnection } from '../model/client.ts';
import type { Plan } from '../model/plan.generated.ts';

export interface PerformTerms extends Pick<ApplyAndResolveOptions, 'signal' | 'onOutcome' | 'managed' | 'planAgain'> {
  readonly connection: Pick<WriteConnection, 'perform' | 'readyAgain' | 'reader'>;
  readonly journal: JournalWriter;
}

/** Performs a plan on record, settles what it can, and closes the journal. A journal that failed says so itself. */
export async function performPlan(plan: Plan, { connection, journal, ...terms }: PerformTerms): Promise<Performed> {
  // The journal remembers its failure; what was sent is told all the same.
  const evenIfUnrecorded = (writing: Promise<void>) => writing.catch(() => {});
  try {
    const perform = explaining(journaled(connection.perform, journal), kinds, connection.reader);
    const performed = await applyAndResolve(plan, perform, {
      ...terms,
      readyAgain: connection.readyAgain,
      record: (outcome) => evenIfUnrecorded(journal.outcome(outcome)),
    });
    await evenIfUnrecorded(journal.end(performed.document.summary));
    return performed;
  } finally {
    await journal.close();
  }
}
