import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that grows. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** Resolves when all that was appended survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

// A pipe would block an ordinary open until someone writes. Windows has neither flag.
const unlinked = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The text of a regular file, or null when there is none. A link in its place is refused, not followed. */
export async function readJournalFile(path: string): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | unlinked);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    requireRegular((await file.stat()).isFile());
    return await readFile(file, 'utf8');
  } finally {
    await file.close();
  }
}

/** A new file in the place of the old one, which is there until the new one holds its first text. */
export async function replaceJournalFile(path: string, text: string): Promise<JournalFile> {
  const beside = `${path}.new`;
  await rm(beside, { force: true });
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
    await rename(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.close();
    await rm(beside, { force: true });
    throw error;
  }
  return journalFile(file);
}

/** Goes on behind the first `bytes`; what is behind them is cut off. */
export async function continueJournalFile(path: string, bytes: number): Promise<JournalFile> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | unlinked);
  try {
    requireRegular((await file.stat()).isFile());
    await file.truncate(bytes);
  } catch (error) {
    await file.close();
    throw error;
  }
  return journalFile(file);
}

function journalFile(file: FileHandle): JournalFile {
  return { append: (text) => file.appendFile(text), sync: () => file.datasync(), close: () => file.close() };
}

function requireRegular(isFile: boolean): void {
  if (!isFile) throw Object.assign(new Error('not a regular file'), { code: 'NOT_REGULAR' });
}

/** Without it a rename may be lost. Windows neither needs nor allows it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
