import type { JournalFile } from './journal-file.ts';

/** Appends a text; resolves when it is written, and when it survives a power cut if `durable`. */
export type Append = (text: string, durable: boolean) => Promise<void>;

interface Batch {
  text: string;
  durable: boolean;
  readonly written: Promise<void>;
}

/**
 * Texts in the order in which they come. What comes while others are being written goes to the disk together, so sixteen writers at
 * once wait for one sync and not for sixteen. After the first failure every call rejects with it, and nothing more is written.
 */
export function openBatches(file: Pick<JournalFile, 'append' | 'sync'>): Append {
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
  return (text, durable) => {
    next ??= open();
    next.text += text;
    next.durable ||= durable;
    return next.written;
  };
}
