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
 * An apply starts. A second one in the same journal resumes a saved plan that was stopped.
 */
export interface StartRecord {
  seq: Seq;
  prev: Prev;
  record: 'start';
  format_version: '2.0';
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
  kind: string;
  key: string;
  part?: string;
  batch?: number;
  operation: string;
  method: 'DELETE' | 'PUT' | 'POST' | 'PATCH';
  /**
   * Below the base URL.
   */
  path: string;
  /**
   * SHA-256 over canonical JSON of the request, with ids of earlier actions in place and references in place of secrets.
   */
  request: string;
}
/**
 * The outcome of an intent. A later one for the same id was resolved by reading again.
 */
export interface OutcomeRecord {
  seq: Seq;
  prev: Prev;
  record: 'outcome';
  /**
   * Id of the action.
   */
  id: string;
  outcome: 'done' | 'failed' | 'not_attempted' | 'unknown' | 'conflict';
  /**
   * Last HTTP status; null if there was no response.
   */
  status: number | null;
}
/**
 * The apply ended, and every outcome was reported.
 */
export interface EndRecord {
  seq: Seq;
  prev: Prev;
  record: 'end';
  summary: OutcomeSummary;
}
