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
}
export interface OutcomeSummary {
  done: number;
  failed: number;
  not_attempted: number;
  unknown: number;
  conflict: number;
}
