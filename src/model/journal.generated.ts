// Generated from schemas/journal.schema.json by npm run generate.

import type { OutcomeSummary } from './outcomes.generated.ts';

/**
 * One line of the journal of an apply. It holds no bodies and no secrets.
 */
export type JournalRecord = StartRecord | IntentRecord | OutcomeRecord | EndRecord;
/**
 * Lines before this one.
 */
export type Seq = number;
/**
 * SHA-256 of the line before, without its line end; null for the first line.
 */
export type Prev = string | null;

/**
 * An apply begins. A second one in the same journal goes on with a saved plan that was stopped.
 */
export interface StartRecord {
  seq: Seq;
  prev: Prev;
  record: 'start';
  format_version: '1.0';
  base_url: string;
  /**
   * The digest of the plan.
   */
  plan: string;
  tool_version: string;
  started: string;
}
/**
 * On disk before the request leaves.
 */
export interface IntentRecord {
  seq: Seq;
  prev: Prev;
  record: 'intent';
  /**
   * Id of the action.
   */
  id: string;
  operation: string;
  method: 'DELETE' | 'PUT' | 'POST' | 'PATCH';
  /**
   * Below the base URL.
   */
  path: string;
  /**
   * SHA-256 over canonical JSON of the planned request, in which secrets are references.
   */
  request: string;
}
/**
 * What became of an intent; a later one for the same id was learned by reading again.
 */
export interface OutcomeRecord {
  seq: Seq;
  prev: Prev;
  record: 'outcome';
  /**
   * Id of the action.
   */
  id: string;
  outcome: 'done' | 'failed' | 'not_attempted' | 'unknown';
  /**
   * Last HTTP status; null when there was no answer.
   */
  status: number | null;
}
/**
 * The apply came to its end and told every outcome.
 */
export interface EndRecord {
  seq: Seq;
  prev: Prev;
  record: 'end';
  summary: OutcomeSummary;
}
