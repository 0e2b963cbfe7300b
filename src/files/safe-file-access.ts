import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Flags for opening a file that another user may have created: a link in the last part of the path is refused, and a
 * pipe does not block the open. Windows has neither flag.
 */
export const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Throws, with the code SHARED, if other users may change a file or a folder: by its mode, or because one of them owns
 * it. The superuser may change everything. Windows has neither owner nor mode.
 */
export function refuseShared({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const permissions = (mode & 0o7777).toString(8).padStart(4, '0');
  if (uid !== user && uid !== 0) throw shared(`user ${uid} owns it, and this process runs as user ${user}`, 'owner');
  if ((mode & 0o022) !== 0) throw shared(`other users may write to it (mode ${permissions})`, 'mode');
}

function shared(why: string, by: 'owner' | 'mode'): SharedAccess {
  return Object.assign(new Error(why), { code: 'SHARED', by } as const);
}

export type SharedAccess = Error & { readonly code: 'SHARED'; readonly by: 'owner' | 'mode' };

/** The text of a regular file, also behind a link: a pipe would never end. Rejects like `openRegular`. */
export async function readRegularText(path: string, check?: (opened: Stats) => void): Promise<string> {
  return readUnlinkedText(await realpath(path), check);
}

/** The text of a regular file that is no link. Rejects like `openRegular`, and with the error that `check` throws. */
export async function readUnlinkedText(path: string, check?: (opened: Stats) => void): Promise<string> {
  const file = await openRegular(path, constants.O_RDONLY);
  try {
    check?.(await file.stat());
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Opens a regular file that exists. Rejects with the error of the file system, or with the code NOT_REGULAR. */
export async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | noFollow);
  try {
    // Checks the opened file itself: the path may have changed in the meantime.
    if ((await file.stat()).isFile()) return file;
    throw Object.assign(new Error('not a regular file'), { code: 'NOT_REGULAR' });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Replaces a file atomically: after a kill or a power failure, the old or the new file is there, complete. The text is
 * written to a second file in the same folder, flushed to disk, and renamed. The second file is created exclusively, so
 * no link is followed, and is removed after an error. By default, only the owner can read the file, because it may
 * contain names or secrets. Rejects with the error of the file system.
 *
 * `beside` is the path of the second file. If only one process writes the file, use a fixed path, so that the next write
 * removes what a kill left behind. The default path contains the process id: another process may write the same file.
 */
export async function writeAtomically(
  path: string,
  text: string | AsyncIterable<string>,
  beside = join(dirname(path), `.${basename(path)}.tenant-sync.${process.pid}.tmp`),
  mode = 0o600,
): Promise<void> {
  await rm(beside, { force: true });
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await writeFile(file, text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Flushes a folder to disk: without it a rename may be lost. Windows neither needs nor allows it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
