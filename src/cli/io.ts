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

export interface Spinner {
  text: string;
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
  confirm(question: string): Promise<boolean>;
  /** A moving line on standard error while something takes long; null where nobody watches. */
  spin(text: string): Promise<Spinner | null>;
}
