import type { ActionIdentity, Item } from './action-identity.ts';
import type { ApprovedRecord } from './journal.generated.ts';
import type { Outcome, OutcomeSummary } from './outcomes.generated.ts';

export type { Outcome } from './outcomes.generated.ts';

/**
 * - `fatal`: nothing else can succeed after it.
 * - `waits`: not sent yet, because no reading shows what it relies on; a later one may.
 * - `accepted`: the service has accepted a deletion, and may carry it out later.
 * - `created`: the id of the response to a create.
 * - `refusal`: the message of the service if `message` does not have all of it. Never shown: it can have a secret.
 */
export interface PerformedAction extends Outcome {
  readonly fatal?: boolean;
  readonly waits?: boolean;
  readonly accepted?: boolean;
  readonly created?: string;
  readonly refusal?: string;
}

export function notAttempted({ id }: Pick<Outcome, 'id'>, why: string): PerformedAction {
  return { id, outcome: 'not_attempted', status: null, message: why };
}

/** What is read before a request could not be. */
export function notReadAgain(action: Pick<Outcome, 'id'>, why: string): PerformedAction {
  return notAttempted(action, `not sent, because it could not be read again: ${why}`);
}

/**
 * Called before every try of a request, when the limits allow it. A result ends the action, and nothing is sent; null
 * sends it. Returned directly, not as a promise, if nothing has to be read.
 */
export type BeforeSending = () => PerformedAction | null | Promise<PerformedAction | null>;

/** True for an action of a refused apply: its message is the codes of why it was refused. */
export function isRefusal({ outcome, message }: Pick<Outcome, 'outcome' | 'message'>): boolean {
  return outcome === 'not_attempted' && /^[A-Z_]+(?:, [A-Z_]+)*$/.test(message ?? '');
}

/** The message of an action that needed no request. */
export const alreadyLive = 'the tenant is already as planned';

/** Whether a response shows that a request was carried out: a reading never shows a secret. */
export function isSent({ outcome, status }: Pick<Outcome, 'outcome' | 'status'>): boolean {
  return outcome === 'done' && status !== null && status < 300;
}

/** Suffix of the message of an unknown outcome. */
export const inDoubt = '; it may have been carried out';

/** An action that was about to be sent. */
export interface RecordedAction extends ActionIdentity {
  readonly id: string;
  /** Fingerprint of the request as it was sent, with references in place of secrets. */
  readonly request: string;
  /** Whether it sends a secret. */
  readonly secret?: boolean;
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
  /** Items whose secret `--rotate` named and that may not have it yet. */
  readonly rotations: readonly Item[];
  /** Null if nothing of it needed an approval. */
  readonly approved: ApprovedRecord | null;
}
