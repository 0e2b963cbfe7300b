import type { SyncEvent } from '../engine/events.ts';
import type { Clock } from '../model/clock.ts';
import type { RunEvent } from '../model/events.generated.ts';
import { type EventFile, openEventFile } from './event-file.ts';
import { invalidOption } from './exit-codes.ts';

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'time'> : never;

type Line = WithoutTime<RunEvent>;

/** The events of a run as lines of JSON, for programs. They have names, counts and outcomes, but no bodies. */
export interface EventLog {
  write(line: Line): void;
  /** Writes the line of an event of the engine, if it has one. */
  log(event: SyncEvent): void;
  close(): void;
}

export interface EventLogOptions {
  readonly clock: Clock;
  /** Removes secrets from a line. */
  readonly mask: (text: string) => string;
  /** Called once, when the first line is lost. The run continues without the log. */
  readonly onLoss: (why: string) => void;
}

/**
 * Without a path nothing is written. A file that cannot be opened is an invalid option; a full one ends with its last
 * complete line.
 */
export function openEventLog(path: string | undefined, { clock, mask, onLoss }: EventLogOptions): EventLog {
  if (path === undefined) return { write: () => {}, log: () => {}, close: () => {} };
  const file = open(path);
  const write = ({ event, ...about }: Line) => {
    const time = new Date(clock.now()).toISOString();
    const lost = file.append(`${mask(JSON.stringify({ time, event, ...about }))}\n`);
    if (lost !== null) onLoss(lost);
  };
  const log = (event: SyncEvent) => {
    const line = lineOf(event);
    if (line !== null) write(line);
  };
  return { write, log, close: file.close };
}

function lineOf(event: SyncEvent): Line | null {
  switch (event.type) {
    case 'read':
      return { event: 'read', operation: event.operation, items: event.items, total: event.total };
    case 'waiting':
      return { event: 'waiting', operation: event.operation, ms: Math.round(event.ms), reason: event.reason };
    case 'planned': {
      const { digest, complete, actions, findings } = event.plan;
      return { event: 'planned', digest, complete, actions: actions.length, findings: findings.length };
    }
    case 'action_ended': {
      const { id, outcome, status } = event.outcome;
      return { event: 'action_ended', id, action: event.action.action, outcome, status };
    }
    default:
      return null;
  }
}

function open(path: string): EventFile {
  try {
    return openEventFile(path);
  } catch (error) {
    const message = `--events ${path} cannot be written: ${reasonOf(error)}.`;
    throw invalidOption(message, 'use a new file in an existing folder, or a pipe created with mkfifo');
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENXIO') return 'no process reads this pipe';
  return code ?? message;
}
