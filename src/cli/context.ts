import type { Listener } from '../engine/events.ts';
import type { Io } from './io.ts';
import type { Output, ReportFile } from './output.ts';
import type { Arguments } from './parse-arguments.ts';

/** What the end of a run needs, however far it came. */
export interface EndContext {
  readonly io: Io;
  readonly output: Output;
  /** Undefined when the command line cannot be parsed. */
  readonly arguments?: Arguments | undefined;
  /** The files of --report; none until all of them are known to be usable. */
  readonly reports?: readonly ReportFile[];
}

export interface CommandContext extends Required<EndContext> {
  readonly arguments: Arguments;
  /** Shows what is done with each of several tenants, from `begin` to `end`. */
  readonly progress?: { readonly begin: (name: string) => Listener; readonly end: (name: string) => void };
  /** Runs a complete command line, for a command that shows others. */
  readonly run: (io: Io) => Promise<number>;
}

/** Runs and returns an exit code. Throws a CommandError for what ends it before the engine runs. */
export type Command = (context: CommandContext) => Promise<number>;
