import { constants } from 'node:fs';
import { type FileHandle, readFile } from 'node:fs/promises';
import { openRegular, writeAtomically } from '../files/safe-file-access.ts';

/** A file that grows. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** Resolves when everything that was appended survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The text of a regular file, or null if there is none. A link in its place is refused, not followed. */
export async function readJournalFile(path: string): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await openRegular(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return await readFile(file, 'utf8');
  } finally {
    await file.close();
  }
}

/** A new file in the place of the old one, which exists until the new one holds its first text. The lock allows one writer. */
export async function replaceJournalFile(path: string, text: string): Promise<JournalFile> {
  await writeAtomically(path, text, `${path}.new`);
  return continueJournalFile(path, Buffer.byteLength(text));
}

/** Continues after the first `bytes`; the rest is cut off. */
export async function continueJournalFile(path: string, bytes: number): Promise<JournalFile> {
  const file = await openRegular(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    await file.truncate(bytes);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { append: (text) => file.appendFile(text), sync: () => file.datasync(), close: () => file.close() };
}
