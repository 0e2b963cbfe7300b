import type { EventLog } from './event-log.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import type { Arguments } from './parse-arguments.ts';

export interface CommandContext {
  readonly arguments: Arguments;
  readonly io: Io;
  readonly output: Output;
  readonly events: EventLog;
  /** Runs a whole command line, for a command that shows others. */
  readonly run: (io: Io) => Promise<number>;
}

/** Runs and answers an exit code; throws a Fault for what ends it early. */
export type Command = (context: CommandContext) => Promise<number>;
