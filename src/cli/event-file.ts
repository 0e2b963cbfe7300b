import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { noFollow } from '../files/safe-file-access.ts';
import type { RunEvent } from '../model/events.generated.ts';

/** A file or a pipe that takes complete lines until one is lost. */
export interface EventFile {
  /** Returns the reason if the line was lost; then nothing more is written. Never throws. */
  append(line: string): string | null;
  /** Never throws. */
  close(): void;
}

/** More than the first line of any event file. */
const longestHeader = 1024;

/** How long an entire run may wait for a full pipe, in milliseconds: a slow reader must not delay it, or a signal. */
const longestWaitMs = 150;
const pauseMs = 5;

const appending = constants.O_APPEND | noFollow;

/**
 * Opens a new file, one with events of an earlier run, a named pipe that a process reads, or a device. Throws an
 * error whose message is the reason for anything else: no file is overwritten that this program may not have written,
 * and `/dev/fd/6` may be a pipe that this process itself uses.
 */
export function openEventFile(path: string): EventFile {
  const descriptor = open(path);
  const isFile = fstatSync(descriptor).isFile();
  let complete = 0;
  let waitLeft = longestWaitMs;
  let lost: string | null = null;

  /** Null if everything was written, else the reason. */
  const writeAll = (bytes: Buffer): string | null => {
    for (let written = 0; written < bytes.length; ) {
      try {
        const count = writeSync(descriptor, bytes, written);
        if (count === 0) return 'no space';
        written += count;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error);
        if (code !== 'EAGAIN') return code;
        if (waitLeft <= 0) return 'no process reads them';
        waitLeft -= pauseMs;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      }
    }
    return null;
  };

  return {
    append(line) {
      if (lost !== null) return null;
      const bytes = Buffer.from(line);
      lost = writeAll(bytes);
      if (lost === null) complete += bytes.length;
      // A partial line would make the file unreadable.
      else if (isFile) evenIfItFails(() => ftruncateSync(descriptor, complete));
      return lost;
    },
    close: () => evenIfItFails(() => closeSync(descriptor)),
  };
}

function open(path: string): number {
  const present = lstatSync(path, { throwIfNoEntry: false });
  if (present === undefined)
    return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | appending, 0o600);
  if (!(present.isFile() || present.isFIFO() || present.isCharacterDevice()))
    throw new Error(`there is ${nameOf(present)}`);
  const descriptor = openSync(path, (present.isFile() ? constants.O_RDWR : constants.O_WRONLY) | appending);
  try {
    makeReady(descriptor);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function nameOf(present: Stats): string {
  if (present.isSymbolicLink()) return 'a link';
  return present.isDirectory() ? 'a folder' : 'something that is neither a file nor a pipe';
}

/** Checks the opened file itself: the path may have changed in the meantime. */
function makeReady(descriptor: number): void {
  const opened = fstatSync(descriptor);
  if (!opened.isFile()) return;
  if (opened.nlink > 1) throw new Error('there is a file with several hard links');
  if (process.getuid !== undefined && opened.uid !== process.getuid())
    throw new Error('there is a file of another user');
  if (opened.size > 0 && !isOurs(firstLine(descriptor)))
    throw new Error('there is a file with other content than events');
  ftruncateSync(descriptor, 0);
}

function firstLine(descriptor: number): string {
  const buffer = Buffer.alloc(longestHeader);
  const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  return text.slice(0, Math.max(0, text.indexOf('\n')));
}

/** True for the line that every run writes first. */
function isOurs(line: string): boolean {
  try {
    const { event, tool } = JSON.parse(line) as Partial<Extract<RunEvent, { event: 'run_started' }>>;
    return event === 'run_started' && tool === 'tenant-sync';
  } catch {
    return false;
  }
}

function evenIfItFails(work: () => void): void {
  try {
    work();
  } catch {
    // The run continues without the log.
  }
}
