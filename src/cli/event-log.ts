import { closeSync, openSync, writeSync } from 'node:fs';
import type { Clock } from '../model/clock.ts';
import type { RunEvent } from '../model/events.generated.ts';
import { exitCode } from './exit-codes.ts';
import { fault } from './fault.ts';

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'time'> : never;

/** What a run does, line by line, for programs that watch it. Holds names, counts and outcomes, and no bodies. */
export interface EventLog {
  write(event: WithoutTime<RunEvent>): void;
  close(): void;
}

/** Without a file nothing is written. A file that cannot be opened is a wrong option; one that fills up loses lines and stops nothing. */
export function openEventLog(file: string | undefined, clock: Clock): EventLog {
  if (file === undefined) return { write: () => {}, close: () => {} };
  const descriptor = open(file);
  return {
    write(event) {
      const { event: name, ...about } = event;
      const line = JSON.stringify({ time: new Date(clock.now()).toISOString(), event: name, ...about });
      try {
        writeSync(descriptor, `${line}\n`);
      } catch {
        // What the run does matters more than that somebody watches it.
      }
    },
    close: () => closeSync(descriptor),
  };
}

function open(file: string): number {
  try {
    return openSync(file, 'w', 0o600);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw fault(exitCode.invalid, 'OPTION_INVALID', `--events ${file} cannot be written: ${why}.`, 'name a file in a folder that exists');
  }
}
