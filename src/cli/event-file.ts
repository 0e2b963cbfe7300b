import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readSync, writeSync } from 'node:fs';

/** A file or a pipe that takes whole lines, or none any more. */
export interface EventFile {
  /** Answers with the reason when the line was lost; then nothing more is written. */
  append(line: string): string | null;
  close(): void;
}

/** What every line begins with: the sign by which a file of events is known again. */
export const firstField = '{"time":"';

/** How long a full pipe is waited for, in milliseconds: nobody who watches may hold up a run. */
const patienceMs = 1000;

// A pipe that nobody reads would block an ordinary open, and a full one an ordinary write. Windows has neither flag.
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a new file, one with events of an earlier run, a pipe that somebody reads, or what the system has below `/dev`. Throws an
 * error whose message is the reason for anything else: nothing that may be somebody's work is overwritten.
 */
export function openEventFile(path: string): EventFile {
  const ofSystem = path.startsWith('/dev/');
  if (!ofSystem) requireHarmless(path);
  const descriptor = openSync(path, ofSystem ? flags : flags | (constants.O_NOFOLLOW ?? 0), 0o600);
  const isFile = fstatSync(descriptor).isFile();
  let whole = 0;
  let lost: string | null = null;
  return {
    append(line) {
      if (lost !== null) return null;
      const bytes = Buffer.from(line);
      lost = writeAll(descriptor, bytes);
      if (lost === null) whole += bytes.length;
      // A file that holds a part of a line would not be lines any more.
      else if (isFile) ftruncateSync(descriptor, whole);
      return lost;
    },
    close: () => closeSync(descriptor),
  };
}

function requireHarmless(path: string): void {
  const present = lstatSync(path, { throwIfNoEntry: false });
  if (present === undefined || present.isFIFO()) return;
  if (!present.isFile()) throw new Error('there is something that is neither a plain file nor a pipe');
  if (present.size > 0 && beginningOf(path) !== firstField) throw new Error('there is a file that holds something else than events');
}

function beginningOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(firstField.length);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

/** Null when all of it was written, else why not. */
function writeAll(descriptor: number, bytes: Buffer): string | null {
  const deadline = performance.now() + patienceMs;
  for (let written = 0; written < bytes.length; ) {
    try {
      const count = writeSync(descriptor, bytes, written);
      if (count === 0) return 'no space';
      written += count;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      if (code !== 'EAGAIN') return code;
      if (performance.now() >= deadline) return 'nobody reads them';
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return null;
}
