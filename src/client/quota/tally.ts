import type { Sighting } from './drip-evidence.ts';

export interface Request {
  /** 0 for one that was under way before the ledger was opened. */
  readonly ordinal: number;
  readonly sentAt: number;
}

/** `resetAt` is null when it is not plausible. */
export type Seen = Omit<Sighting, 'sentAt' | 'ordinal'>;

/** What both books of a ledger count by. */
export interface Tally {
  sent: number;
  inFlight: number;
  refused: number;
  /** No answer but a refusal shows what is left. */
  blind: boolean;
  /** The newest refusal, and how many had been let through by then. */
  lastRefused: { readonly sentAt: number; readonly taken: number } | null;
}
