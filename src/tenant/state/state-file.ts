/**
 * A kill at any moment leaves either the old file or the new one, whole: the text goes to a second file in the same folder, is
 * forced to disk, and takes the old one's place by a rename, which is forced to disk as well. A second file that a kill has left
 * behind is written over by the next change.
 */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of the state file, or null when there is none yet. */
export async function readStateFile(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

export async function writeStateFile(file: string, text: string): Promise<void> {
  const beside = `${file}.tmp`;
  await rm(beside, { force: true });
  // Client secrets are in it: nobody else may read it, and a link in its place is not followed.
  await writeThrough(beside, text);
  await rename(beside, file);
  await syncFolder(dirname(file));
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
