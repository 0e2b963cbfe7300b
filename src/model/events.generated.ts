// Generated from schemas/events.schema.json by npm run generate.

/**
 * One line of the file that --events writes: what a run does, as it does it. Names are stable; fields are added, never changed.
 */
export type RunEvent = RunStarted | Read | Waiting | Planned | ActionEnded | RunEnded;
export type Time = string;

export interface RunStarted {
  time: Time;
  event: 'run_started';
  command: 'plan' | 'apply' | 'drift';
  version: string;
}
/**
 * An answer to a read: a page of a listing, or one thing.
 */
export interface Read {
  time: Time;
  event: 'read';
  operation: string;
  items: number;
  /**
   * Items of this listing so far.
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
  ms: number;
  reason: string;
}
export interface Planned {
  time: Time;
  event: 'planned';
  digest: string;
  complete: boolean;
  actions: number;
  findings: number;
}
/**
 * An action has an outcome. What was unknown is read again and may then be sent again, so an action can end more than once: the last time counts.
 */
export interface ActionEnded {
  time: Time;
  event: 'action_ended';
  id: string;
  action: string;
  outcome: 'done' | 'failed' | 'not_attempted' | 'unknown' | 'conflict';
  status: number | null;
}
export interface RunEnded {
  time: Time;
  event: 'run_ended';
  exit_code: number;
}
