import type { FaultKind } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { Outcome } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { LieName } from './lies.ts';
import type { Meaning } from './meaning.ts';

/** One request as the tenant saw it. */
export interface RequestStep {
  readonly type: 'request';
  /** Virtual milliseconds at which it arrived. */
  readonly at: number;
  /** Virtual milliseconds at which its response was sent. */
  readonly endedAt: number;
  /** Place among all requests that were carried out and all changes by others; one that was not has the last place before it. */
  readonly order: number;
  /** Id of the operation, `token`, or null. */
  readonly operation: string | null;
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: string;
  readonly body?: unknown;
  /** The fault that hit it, */
  readonly fault: FaultKind | null;
  /** and the response that was not the service's own. */
  readonly lie: LieName | null;
  /** As the client was told; null when the connection was broken. */
  readonly status: number | null;
  /** The id in the response to a create. */
  readonly answeredId?: string;
  /** What the response has of a list with a total: the ids of its items, or what else identifies them. */
  readonly page?: { readonly ids: readonly string[]; readonly total: number };
  /** State when it arrived and when it was answered; the same object when nothing changed. */
  readonly before: Seed;
  readonly after: Seed;
  /** For a write: whether an intent for it was in the journal on disk when it arrived; null where no journal is asked for. */
  readonly intended: boolean | null;
}

/** Somebody else changed the tenant. */
export interface ForeignStep {
  readonly type: 'foreign';
  /** Virtual milliseconds. */
  readonly at: number;
  readonly order: number;
  readonly before: Seed;
  readonly after: Seed;
}

export type Step = RequestStep | ForeignStep;

/** What the command said. */
export interface Told {
  /** Null when it ended without one, as a killed process does. */
  readonly code: number | null;
  /** Everything it wrote: both streams, the saved plan, the journal. */
  readonly texts: readonly string[];
  /** Null where the output holds none. */
  readonly plan: Plan | null;
  readonly outcomes: readonly Outcome[] | null;
  /** Null where nothing was sent. */
  readonly verification: Verification | null;
  /** False when the output was not JSON, or was lost: then nothing is said about what was told. */
  readonly readable: boolean;
  /** It did not end by itself in the time it had. */
  readonly hung: boolean;
}

/** What the reading at the end of an apply showed. */
export interface Verification {
  readonly result: 'verified' | 'not_shown' | 'not_verifiable' | 'not_read' | 'skipped';
  /** Ids of actions. */
  readonly not_shown: readonly string[];
  readonly not_read: readonly string[];
  readonly not_verifiable: readonly string[];
}

/** One run of one command. */
export interface History {
  readonly command: 'plan' | 'apply';
  /** Whether it performs a plan that was saved, for which only the items of that plan are read. */
  readonly isSaved: boolean;
  readonly meaning: Meaning;
  readonly before: Seed;
  readonly after: Seed;
  /** In order of arrival. */
  readonly steps: readonly Step[];
  readonly told: Told;
  /** Virtual milliseconds. */
  readonly elapsedMs: number;
  /** The number of the signal that it got, or null. */
  readonly signal: number | null;
  /** The code that was given with --approve, or null. */
  readonly approved: string | null;
  /** Plans of earlier runs whose code was given. */
  readonly approvedBefore: readonly Plan[];
  /** Virtual milliseconds at which the plan was confirmed; null where nobody was asked. */
  readonly confirmedAt: number | null;
  /** Milliseconds until a read shows a change. */
  readonly lagMs: number;
  /** What other clients changed in the runs before this one. */
  readonly earlierChanges: readonly ForeignStep[];
  /** Texts that may be nowhere but in requests. */
  readonly secrets: readonly string[];
  /** Values of the environment that requests may carry as secrets. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * I1 to I10 as in docs/internals/chaos.md; besides:
 * - C1: a conflict is reported only for what others changed
 * - F1: nothing is overwritten or deleted on old knowledge
 * - V1: exit code 0 means that everything is in effect
 * - G1: what takes away waits for what grants
 * - G2: what takes away waits for a reading of what grants, and what is verified was read, after the last response
 * - N1: where nothing goes wrong and nobody else writes, everything is done
 * - U1: a user with two roles keeps what one of them had and one shall have
 * - P1: a consumer falls back only to what the tenant or the files have for it
 * - S1: an event that is handed over from stream to stream has one all the time
 * - J1: an intent is on disk before the write arrives
 * - L1: nothing is planned as created that was live all the time
 * - Q1: a refusal by the quota closes the gate
 */
export const invariants = [
  'I1',
  'I2',
  'I3',
  'I4',
  'I5',
  'I6',
  'I7',
  'I8',
  'I9',
  'I10',
  'C1',
  'F1',
  'F2',
  'V1',
  'G1',
  'G2',
  'N1',
  'U1',
  'P1',
  'S1',
  'J1',
  'L1',
  'Q1',
] as const;

export type Invariant = (typeof invariants)[number];

export interface Violation {
  readonly invariant: Invariant;
  readonly message: string;
}
