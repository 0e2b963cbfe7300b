import { constants } from 'node:fs';
import { type FileHandle, readFile } from 'node:fs/promises';
import { openRegular, refuseShared, writeAtomically } from '../files/safe-file-access.ts';
import type { JournalFile } from './apply-state-store.ts';

/**
 * The text of a regular file, or null if there is none. A link in its place is refused, not followed, and so is a file
 * that others may write.
 */
export async function readJournalFile(path: string): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await openRegular(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    refuseShared(await file.stat());
    return await readFile(file, 'utf8');
  } finally {
    await file.close();
  }
}

/** Replaces the old file, which exists until the new one has its first text. The lock allows only one writer. */
export async function replaceJournalFile(path: string, text: string): Promise<JournalFile> {
  await writeAtomically(path, text, `${path}.new`);
  return continueJournalFile(path, Buffer.byteLength(text));
}

/** Appends a text, and more, after the first `bytes`; truncates the rest. */
export async function continueJournalFile(path: string, bytes: number, text = ''): Promise<JournalFile> {
  const file = await openRegular(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    await file.truncate(bytes);
    await file.appendFile(text);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { append: (text) => file.appendFile(text), sync: () => file.datasync(), close: () => file.close() };
}
