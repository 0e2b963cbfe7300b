import type { Clock } from '../model/clock.ts';

export interface Sink {
  write(text: string): void;
  /** Whether it is a terminal with colours and a cursor. */
  readonly isTTY: boolean;
  /** Width of the terminal; undefined without one. */
  readonly columns?: number | undefined;
}

/** The signal that stopped a run. */
export interface StopReason {
  readonly name: 'SIGINT' | 'SIGTERM';
  readonly number: number;
}

/** A progress bar on standard error. */
export interface Bar {
  update(done: number, total: number, text: string): void;
  stop(): void;
}

/** The environment of a command except for files and the tenant, so that a test can replace it. */
export interface Io {
  /** How a person starts the program, for commands to copy. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** True if a person can confirm. */
  readonly interactive: boolean;
  readonly clock: Clock;
  /** Aborts with a StopReason. */
  readonly signal: AbortSignal;
  /** Aborts some seconds later: requests still in flight are then given up. */
  readonly hangUp: AbortSignal;
  /** Rejects with the reason of the signal. */
  confirm(question: string): Promise<boolean>;
  /** Null without a terminal. */
  bar(): Bar | null;
  /** Calls again and again, until the returned function is called. It keeps no run from ending. */
  every(ms: number, call: () => void): () => void;
}
