import type { Outcome } from './outcome.ts';
import type { OutcomeSummary } from './outcomes.generated.ts';

/** An action that was about to be sent. */
export interface RecordedAction {
  readonly id: string;
  /** SHA-256 over canonical JSON of the planned request: `sha256:` and 64 hexadecimal digits. */
  readonly request: string;
  /** Null when the apply ended before it knew. */
  readonly outcome: Outcome['outcome'] | null;
}

/** What the journal of the last apply says. */
export interface RecordedApply {
  readonly baseUrl: string;
  /** Digest of the plan. */
  readonly plan: string;
  /** ISO time. */
  readonly started: string;
  /** Null when the apply did not come to its end. */
  readonly summary: OutcomeSummary | null;
  readonly actions: readonly RecordedAction[];
}
