import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Flags for opening a file that somebody else may have put there: a link in the last part of the path is refused, and a pipe
 * does not block the open. Windows has neither flag.
 */
export const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Writes a file so that a kill or a power cut at any moment leaves either the old file or the new one, complete. The text goes to
 * a second file in the same folder, is forced to disk and then renamed. The second file is created exclusively, so no link is
 * followed, and is removed when something fails. Readable by its owner only, because most files hold names or secrets.
 * Rejects with the error of the file system.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  await rm(beside, { force: true });
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(text);
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

/** Forces the names of a folder to disk: without it a rename may be lost. Windows neither needs nor allows it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
