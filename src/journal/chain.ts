import { createHash } from 'node:crypto';
import type { EndRecord, IntentRecord, OutcomeRecord, StartRecord } from '../model/journal.generated.ts';

type Unchained<Each> = Omit<Each, 'seq' | 'prev'>;

/** The content of a line, before it is added to the chain. */
export type Entry = Unchained<StartRecord> | Unchained<IntentRecord> | Unchained<OutcomeRecord> | Unchained<EndRecord>;

/** Where the next line goes: lines so far, and the hash of the last one. */
export interface ChainEnd {
  readonly seq: number;
  readonly prev: string | null;
}

export const emptyChain: ChainEnd = { seq: 0, prev: null };

/** One line with its line end, and the chain behind it. */
export function chainLine({ seq, prev }: ChainEnd, entry: Entry): { readonly line: string; readonly end: ChainEnd } {
  const text = JSON.stringify({ seq, prev, ...entry });
  return { line: `${text}\n`, end: { seq: seq + 1, prev: lineHash(text) } };
}

/** SHA-256 in hexadecimal digits, over a line without its line end. */
export function lineHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
