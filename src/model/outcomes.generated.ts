// Generated from schemas/outcomes.schema.json by npm run generate.

import type { Plan } from './plan.generated.ts';

/**
 * The result of apply --format json: the plan, and the outcome of every action.
 */
export interface OutcomesDocument {
  format_version: '2.0';
  plan: Plan;
  outcomes: Outcome[];
  summary: OutcomeSummary;
  /**
   * Null if nothing was sent.
   */
  verification: Verification | null;
}
export interface Outcome {
  /**
   * Id of the action.
   */
  id: string;
  /**
   * done: carried out. failed: refused by the service, or never sent. not_attempted: not sent. unknown: may have been carried out. conflict: left alone, because the item changed.
   */
  outcome: 'done' | 'failed' | 'not_attempted' | 'unknown' | 'conflict';
  /**
   * Last HTTP status; null if there was no response.
   */
  status: number | null;
  /**
   * Why the outcome is not done; null if there is nothing to add.
   */
  message: string | null;
  /**
   * Present if it was not attempted because no reading showed in time what it relies on.
   */
  not_shown?: true;
  conflict?: Conflict;
}
/**
 * What an item was when its action was planned, and what it is now, on the tenant and in the files. With the outcome conflict, or with unknown if an earlier try may have been carried out.
 */
export interface Conflict {
  /**
   * Which side changed.
   */
  moved: 'files' | 'tenant' | 'both';
  /**
   * The live value in the plan; null if there was none.
   */
  before: {
    [k: string]: unknown;
  } | null;
  /**
   * The live value now; null if there is none.
   */
  now: {
    [k: string]: unknown;
  } | null;
  declared: DeclaredValues;
}
/**
 * The values in the files; null on a side without one.
 */
export interface DeclaredValues {
  before: {
    [k: string]: unknown;
  } | null;
  now: {
    [k: string]: unknown;
  } | null;
}
export interface OutcomeSummary {
  done: number;
  failed: number;
  not_attempted: number;
  unknown: number;
  conflict: number;
}
/**
 * The reading that ends an apply.
 */
export interface Verification {
  /**
   * verified: readings show everything that can be read. not_shown: they do not show something. not_verifiable: nothing of it can be read. not_read: the reading failed. skipped: --no-verify.
   */
  result: 'verified' | 'not_shown' | 'not_verifiable' | 'not_read' | 'skipped';
  /**
   * Number of actions that a reading has shown to be in effect.
   */
  verified: number;
  /**
   * Ids of actions that the service confirmed and that no reading shows; their outcome is unknown.
   */
  not_shown: string[];
  /**
   * Ids of actions that the service confirmed and whose reading failed or was interrupted.
   */
  not_read: string[];
  /**
   * Ids of actions that are done and that nothing can read.
   */
  not_verifiable: string[];
  /**
   * Ids of verified actions with secrets, which no operation returns: these are not verified.
   */
  secrets: string[];
  /**
   * Ids of actions that were not read back because of --no-verify.
   */
  skipped: string[];
  /**
   * Why the reading failed; null if it did not.
   */
  message: string | null;
}
