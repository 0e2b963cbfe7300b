import type { EventLog } from './event-log.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import type { Arguments } from './parse-arguments.ts';

export interface CommandContext {
  readonly arguments: Arguments;
  readonly io: Io;
  readonly output: Output;
  readonly events: EventLog;
  /** Runs a complete command line, for a command that shows others. */
  readonly run: (io: Io) => Promise<number>;
}

/** Runs and returns an exit code. Throws a CommandError for what ends it before the engine runs. */
export type Command = (context: CommandContext) => Promise<number>;
