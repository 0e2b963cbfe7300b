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
   * done: carried out. failed: refused or not carried out. not_attempted: not sent. unknown: may have been carried out. conflict: left alone, because the item changed.
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
   * verified: everything that can be read is as intended. not_as_intended: something is not. not_verifiable: nothing of it can be read. not_read: the reading failed. skipped: --no-verify.
   */
  result: 'verified' | 'not_as_intended' | 'not_verifiable' | 'not_read' | 'skipped';
  /**
   * Number of actions that a response or a reading has shown to be in effect.
   */
  verified: number;
  /**
   * Ids of actions that the service confirmed and that a reading does not show; their outcome is unknown.
   */
  not_as_intended: string[];
  /**
   * Ids of actions that are done and that nothing can read.
   */
  not_verifiable: string[];
  /**
   * Why the reading failed; null if it did not.
   */
  message: string | null;
}
