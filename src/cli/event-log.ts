import type { Clock } from '../model/clock.ts';
import type { RunEvent } from '../model/events.generated.ts';
import { type EventFile, openEventFile } from './event-file.ts';
import { exitCode } from './exit-codes.ts';
import { fault } from './fault.ts';

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'time'> : never;

/** What a run does, line by line, for programs that watch it. Holds names, counts and outcomes, and no bodies. */
export interface EventLog {
  write(event: WithoutTime<RunEvent>): void;
  close(): void;
}

export interface EventLogTerms {
  readonly clock: Clock;
  /** Told once, when the first line is lost. What the run does matters more than that somebody watches it. */
  readonly onLoss: (why: string) => void;
}

/** Without a file nothing is written. A file that cannot be opened is a wrong option; one that fills up ends with its last whole line. */
export function openEventLog(path: string | undefined, { clock, onLoss }: EventLogTerms): EventLog {
  if (path === undefined) return { write: () => {}, close: () => {} };
  const file = open(path);
  return {
    write(event) {
      const { event: name, ...about } = event;
      const lost = file.append(
        `${JSON.stringify({ time: new Date(clock.now()).toISOString(), event: name, ...about })}\n`,
      );
      if (lost !== null) onLoss(lost);
    },
    close: file.close,
  };
}

function open(path: string): EventFile {
  try {
    return openEventFile(path);
  } catch (error) {
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--events ${path} cannot be written: ${reasonOf(error)}.`,
      'name a new file in a folder that exists, or a pipe made by mkfifo',
    );
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENXIO') return 'nobody reads this pipe';
  return code ?? message;
}
