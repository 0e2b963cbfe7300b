import type { Outcome } from '../model/outcome.ts';
import type { OutcomeSummary } from '../model/outcomes.generated.ts';
import type { Action } from '../model/plan.generated.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { cannotUse, type JournalTrouble } from './journal-trouble.ts';
import type { LockKeeper } from './lock.ts';
import { type ChainEnd, chainLine, type Entry } from './parse-journal.ts';

/** A journal to append to. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** Resolves when everything that was appended survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type JournalWriter = ReturnType<typeof writeJournal>;

export interface JournalOptions {
  readonly path: string;
  /** Where the file ends. */
  readonly chain: ChainEnd;
  /** Verified before every record: without it, the file may belong to another apply. */
  readonly lock: LockKeeper;
  /** Removes secrets, which a tenant may repeat in a name. */
  readonly mask?: ((text: string) => string) | undefined;
}

/**
 * The record of an apply while it runs; several actions may be recorded at once. After the first failure, every call
 * rejects with it, so nothing more is sent and the file stays true.
 */
export function writeJournal(file: JournalFile, { path, chain, lock, mask = (text) => text }: JournalOptions) {
  const write = openBatches(file);
  let end = chain;
  let failure: JournalTrouble | null = null;
  const append = async (entry: Entry, durable: boolean): Promise<void> => {
    try {
      await lock.verify();
      if (failure !== null) throw failure;
      const next = chainLine(end, entry);
      end = next.end;
      await write(next.line, durable);
    } catch (error) {
      failure ??= cannotUse(path, error);
      throw failure;
    }
  };
  return {
    /** Resolves when the intent is on disk; the request must not leave before. */
    intend: async ({ id: actual, kind, key: actualKey, part, request }: Action): Promise<void> => {
      const { operation, method, path: target } = request;
      const [id, key] = [withoutSecret(actual, mask), withoutSecret(actualKey, mask)];
      const identity = { id, kind, key, ...(part !== undefined && { part }) };
      const sent = { operation, method, path: mask(target), request: fingerprint(request) };
      await append({ record: 'intent', ...identity, ...sent, ...(request.secrets && { secret: true }) }, true);
    },
    /** Is on disk with the next intent that follows it, or with the end. */
    outcome: ({ id, outcome, status }: Outcome) =>
      append({ record: 'outcome', id: withoutSecret(id, mask), outcome, status }, false),
    end: (summary: OutcomeSummary) => append({ record: 'end', summary }, true),
    /** Never rejects: what had to be on disk is there already. */
    close: () => file.close().catch(() => {}),
    get failure(): JournalTrouble | null {
      return failure;
    },
    /** The failure, if the lock is lost now: a recorded request that is not sent yet must not be sent any more. */
    lostLock(): JournalTrouble | null {
      const lost = lock.lost();
      failure ??= lost;
      return lost;
    },
  };
}

/**
 * Names that differ only in a secret stay different. The next apply does not recognize such an action as its own, and
 * reads its item like any other.
 */
export function withoutSecret(name: string, mask: (text: string) => string): string {
  const masked = mask(name);
  return masked === name ? name : `${masked}~${digitsOf(fingerprint(name), 8)}`;
}

interface Batch {
  text: string;
  durable: boolean;
  readonly written: Promise<void>;
}

/**
 * Texts in the order in which they come. What comes while others are being written goes to the disk together, so
 * sixteen writers at once wait for one sync and not for sixteen. After the first failure every call rejects with it,
 * and nothing more is written. `durable`: resolves when the text survives a power cut.
 */
function openBatches(file: JournalFile) {
  let next: Batch | null = null;
  let writing = Promise.resolve();
  const write = async (batch: Batch) => {
    await file.append(batch.text);
    if (batch.durable) await file.sync();
  };
  const open = (): Batch => {
    writing = writing.then(() => {
      next = null;
      return write(batch);
    });
    const batch = { text: '', durable: false, written: writing };
    return batch;
  };
  return (text: string, durable: boolean): Promise<void> => {
    next ??= open();
    next.text += text;
    next.durable ||= durable;
    return next.written;
  };
}
