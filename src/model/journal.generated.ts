// Generated from schemas/journal.schema.json by npm run generate.

import type { OutcomeSummary } from './outcomes.generated.ts';

/**
 * One line of the journal of an apply. It contains no bodies and no secrets.
 */
export type JournalRecord = StartRecord | IntentRecord | OutcomeRecord | EndRecord;
/**
 * Number of lines before this one.
 */
export type Seq = number;
/**
 * SHA-256 of the previous line without its line end; null in the first line.
 */
export type Prev = string | null;
export type Digest = string;

/**
 * An apply starts.
 */
export interface StartRecord {
  seq: Seq;
  prev: Prev;
  record: 'start';
  format_version: '2.0';
  base_url: string;
  plan: Digest;
  tool_version: string;
  started: string;
  /**
   * Items whose secret --rotate names, of this apply or an earlier one, and which may not have it yet.
   */
  rotations?: {
    kind: string;
    key: string;
  }[];
  approved?: ApprovedRecord;
}
/**
 * What the plan is approved to do. If the apply is interrupted, what is left of it stays approved.
 */
export interface ApprovedRecord {
  /**
   * When it was approved; of what an interrupted apply has left, the time of that.
   */
  since: string;
  /**
   * Fingerprints of the items of its refusals, and of the actions that they can be about.
   */
  parts: string[];
}
/**
 * A request will be sent. The record is on disk before that.
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
  operation: string;
  method: 'DELETE' | 'PUT' | 'POST' | 'PATCH';
  /**
   * Relative to the base URL.
   */
  path: string;
  request: Digest;
  /**
   * The request sends a secret, which no later plan shows.
   */
  secret?: true;
}
/**
 * The outcome of an intent. A later record with the same id replaces it, after the item was read again.
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
