import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export const mostBytes = 5_000_000;

export type FileBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly why: 'missing' | 'not_a_file' | 'too_large' | 'unreadable'; readonly detail: string };

// A pipe would block an ordinary open until someone writes. Windows has neither flag.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The bytes of a regular file of at most `mostBytes`. The path must be a real one: a link in its last part is refused. */
export async function readRegularFile(path: string): Promise<FileBytes> {
  try {
    const handle = await open(path, flags);
    try {
      const { size, isFile } = await handle.stat().then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
      if (!isFile) return { ok: false, why: 'not_a_file', detail: '' };
      if (size > mostBytes) return { ok: false, why: 'too_large', detail: String(size) };
      return { ok: true, bytes: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { ok: false, ...reasonOf(error) };
  }
}

/** Why the file system refused, by its code. */
export function reasonOf(error: unknown): { readonly why: 'missing' | 'not_a_file' | 'unreadable'; readonly detail: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { why: 'missing', detail: code };
  if (code === 'EISDIR' || code === 'ENXIO') return { why: 'not_a_file', detail: code };
  return { why: 'unreadable', detail: code };
}
