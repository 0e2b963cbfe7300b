// Without promises, like list-folder.ts: loading a folder is many small steps, and each would cost a turn of the thread
// pool.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { noFollow } from '../../files/safe-file-access.ts';
import type { ReadFailure } from '../../model/file-source.ts';

export const mostBytes = 4_000_000;

export type FileBytes =
  | { readonly ok: true; readonly bytes: Buffer; readonly names: number }
  | { readonly ok: false; readonly reason: ReadFailure; readonly detail: string };

/** The bytes of a regular file of at most `most`. The path must be a real one: a link in its last part is refused. */
export function readRegularFile(path: string, most = mostBytes): FileBytes {
  try {
    const handle = openSync(path, constants.O_RDONLY | noFollow);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return { ok: false, reason: 'not_a_file', detail: '' };
      if (stats.size > most) return { ok: false, reason: 'too_large', detail: String(stats.size) };
      return { ok: true, bytes: readFileSync(handle), names: stats.nlink };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return failureOf(error);
  }
}

/** Why the file system refused, by its code. */
export function failureOf(error: unknown): {
  readonly ok: false;
  readonly reason: 'missing' | 'not_a_file' | 'unreadable';
  readonly detail: string;
} {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, reason: 'missing', detail: code };
  if (code === 'EISDIR' || code === 'ENXIO') return { ok: false, reason: 'not_a_file', detail: code };
  return { ok: false, reason: 'unreadable', detail: code };
}
