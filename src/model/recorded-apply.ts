import type { ActionIdentity } from './action-identity.ts';
import type { Outcome } from './outcome.ts';
import type { OutcomeSummary } from './outcomes.generated.ts';

/** An action that was about to be sent. */
export interface RecordedAction extends ActionIdentity {
  readonly id: string;
  /** Fingerprint of the request as it was sent, with references in place of secrets. */
  readonly request: string;
  /** Null if the apply ended before it was known. */
  readonly outcome: Outcome['outcome'] | null;
}

/** The last apply, as its journal has it. */
export interface RecordedApply {
  readonly baseUrl: string;
  /** Digest of the plan. */
  readonly plan: string;
  /** ISO time. */
  readonly started: string;
  /** Null if the apply did not reach its end. */
  readonly summary: OutcomeSummary | null;
  readonly actions: readonly RecordedAction[];
}
