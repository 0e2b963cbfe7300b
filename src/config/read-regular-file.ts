// Without promises here and in find-files: loading a folder is many small steps, and each would cost a turn of the thread pool.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

export const mostBytes = 5_000_000;

export type FileBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      readonly why: 'missing' | 'not_a_file' | 'too_large' | 'unreadable';
      readonly detail: string;
    };

// A pipe would block an ordinary open until someone writes. Windows has neither flag.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The bytes of a regular file of at most `mostBytes`. The path must be a real one: a link in its last part is refused. */
export function readRegularFile(path: string): FileBytes {
  try {
    const handle = openSync(path, flags);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return { ok: false, why: 'not_a_file', detail: '' };
      if (stats.size > mostBytes) return { ok: false, why: 'too_large', detail: String(stats.size) };
      return { ok: true, bytes: readFileSync(handle) };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return { ok: false, ...reasonOf(error) };
  }
}

/** Why the file system refused, by its code. */
export function reasonOf(error: unknown): {
  readonly why: 'missing' | 'not_a_file' | 'unreadable';
  readonly detail: string;
} {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { why: 'missing', detail: code };
  if (code === 'EISDIR' || code === 'ENXIO') return { why: 'not_a_file', detail: code };
  return { why: 'unreadable', detail: code };
}
