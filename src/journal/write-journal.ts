import type { Outcome } from '../model/outcome.ts';
import type { OutcomeSummary } from '../model/outcomes.generated.ts';
import type { Action, PlannedRequest } from '../model/plan.generated.ts';
import { type ChainEnd, chainLine, type Entry } from './chain.ts';
import type { JournalFile } from './journal-file.ts';
import { cannotUse, type JournalTrouble } from './journal-trouble.ts';

/**
 * The record of an apply while it runs. After the first failure every call rejects with it: what the file says stays true, because
 * nothing is sent any more.
 */
export interface JournalWriter {
  /** Resolves when the intent is on disk; the request must not leave before. */
  intend(action: Action): Promise<void>;
  /** Is on disk with the next intent or the end. */
  outcome(outcome: Outcome): Promise<void>;
  end(summary: OutcomeSummary): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
  readonly failure: JournalTrouble | null;
}

export interface JournalTerms {
  readonly path: string;
  /** Where the file ends. */
  readonly chain: ChainEnd;
  readonly digestOf: (request: PlannedRequest) => string;
}

export function writeJournal(file: JournalFile, { path, chain, digestOf }: JournalTerms): JournalWriter {
  let end = chain;
  let failure: JournalTrouble | null = null;
  const guarded = async (write: () => Promise<void>): Promise<void> => {
    if (failure !== null) throw failure;
    try {
      await write();
    } catch (error) {
      failure = cannotUse(path, error);
      throw failure;
    }
  };
  const append = async (entry: Entry) => {
    const next = chainLine(end, entry);
    await file.append(next.line);
    end = next.end;
  };
  return {
    intend: ({ id, request }) =>
      guarded(async () => {
        const { operation, method, path: target } = request;
        await append({ record: 'intent', id, operation, method, path: target, request: digestOf(request) });
        await file.sync();
      }),
    outcome: ({ id, outcome, status }) => guarded(() => append({ record: 'outcome', id, outcome, status })),
    end: (summary) =>
      guarded(async () => {
        await append({ record: 'end', summary });
        await file.sync();
      }),
    // What had to be on disk is there already.
    close: () => file.close().catch(() => {}),
    get failure() {
      return failure;
    },
  };
}
