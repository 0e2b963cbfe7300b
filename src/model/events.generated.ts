// Generated from schemas/events.schema.json by npm run generate.

/**
 * One line of the file that --events writes, an event of the run. Names of events and fields are stable; fields may be added.
 */
export type RunEvent = RunStarted | Read | Waiting | Planned | ActionEnded | RunEnded;
export type Time = string;

/**
 * The first event of a run.
 */
export interface RunStarted {
  time: Time;
  event: 'run_started';
  /**
   * With it the first line proves whose file it is.
   */
  tool: 'tenant-sync';
  command: 'plan' | 'apply' | 'drift' | 'pull';
  version: string;
}
/**
 * A response to a read: a page of a listing, or one item.
 */
export interface Read {
  time: Time;
  event: 'read';
  operation: string;
  items: number;
  /**
   * Number of items of this listing so far.
   */
  total: number;
}
/**
 * A request waits before it is sent.
 */
export interface Waiting {
  time: Time;
  event: 'waiting';
  operation: string;
  /**
   * Milliseconds, at most.
   */
  ms: number;
  /**
   * quota, or the status that caused the wait.
   */
  reason: string;
}
/**
 * The plan is made.
 */
export interface Planned {
  time: Time;
  event: 'planned';
  digest: string;
  complete: boolean;
  actions: number;
  findings: number;
}
/**
 * An action has an outcome. An unknown outcome is resolved by reading the item, and the request may be resent, so an action can end more than once. The last event counts.
 */
export interface ActionEnded {
  time: Time;
  event: 'action_ended';
  id: string;
  action: string;
  outcome: 'done' | 'failed' | 'not_attempted' | 'unknown' | 'conflict';
  status: number | null;
}
/**
 * The last event of a run.
 */
export interface RunEnded {
  time: Time;
  event: 'run_ended';
  exit_code: number;
}
