// Generated from schemas/outcomes.schema.json by npm run generate.

import type { Plan } from './plan.generated.ts';

/**
 * What apply --format json prints: the plan, and the outcome of every action.
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
  outcome: 'done' | 'failed' | 'not_attempted' | 'unknown' | 'conflict';
  /**
   * Last HTTP status; null if there was no response.
   */
  status: number | null;
  message: string | null;
}
export interface OutcomeSummary {
  done: number;
  failed: number;
  not_attempted: number;
  unknown: number;
  conflict: number;
}
