import type { Clock } from '../model/clock.ts';

export interface Sink {
  write(text: string): void;
  readonly isTTY: boolean;
}

/** Why a run is stopped from outside. */
export interface StopReason {
  readonly name: 'SIGINT' | 'SIGTERM';
  readonly number: number;
}

/** A moving line on standard error: how much of how much is done, and what it is at. */
export interface Bar {
  update(done: number, total: number, text: string): void;
  stop(): void;
}

/** Everything a command may touch beside files and the tenant, so that a run can be held in a test. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly clock: Clock;
  /** Aborts with a StopReason. */
  readonly signal: AbortSignal;
  /** Aborts some seconds after it: what is still in flight then is given up. */
  readonly hangUp: AbortSignal;
  confirm(question: string): Promise<boolean>;
  /** Null where nobody watches. */
  bar(): Promise<Bar | null>;
}
