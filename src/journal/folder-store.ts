import { createHash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalTenant } from '../contract/formats.ts';
import { makeFolder } from '../files/make-folder.ts';
import { noFollow, openRegular, readUnlinkedText, refuseShared, writeAtomically } from '../files/safe-file-access.ts';
import { orCannotUse } from './journal-trouble.ts';
import { takeLock } from './lock.ts';
import type { ApplyStateStore } from './open-apply-state.ts';
import type { JournalFile } from './write-journal.ts';

/** Files in a folder that processes may share. Two for each tenant, and one for each run with several. */
export function folderStore(folder: string): ApplyStateStore {
  return {
    async acquire(run) {
      const { lock, journal } = stateFiles(folder, run.baseUrl);
      await orCannotUse(folder, () => prepareStateFolder(folder));
      const taken = await orCannotUse(lock, () => takeLock(lock, run));
      if (!taken.ok) return { lock: taken.found };
      return {
        ...taken,
        journal,
        last: () => readJournalFile(journal),
        replace: (text) => replaceJournalFile(journal, text),
      };
    },
    lastOf: (baseUrl) => readJournalFile(stateFiles(folder, baseUrl).journal),
    async finishedBy(run) {
      const runs = join(folder, 'runs');
      for (const one of [folder, runs]) await orCannotUse(one, () => prepareStateFolder(one));
      const path = join(runs, `${run}.jsonl`);
      // A link in its place is refused.
      const options = { mode: 0o600, flag: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow };
      return {
        read: () => orCannotUse(path, () => readJournalFile(path)),
        append: (text) => orCannotUse(path, () => appendFile(path, text, options)),
      };
    },
  };
}

/**
 * Named after the host, for people, and after the complete base URL, so that two tenants never share:
 * `login.acme.example-1f0c2a9b`. Spellings of one tenant give one name.
 */
export function stateFiles(folder: string, baseUrl: string) {
  const tenant = canonicalTenant(baseUrl);
  const { host } = new URL(tenant);
  const digest = createHash('sha256').update(tenant).digest('hex');
  const name = join(folder, `${host.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(0, 100)}-${digest.slice(0, 8)}`);
  return { lock: `${name}.lock`, journal: `${name}.journal` };
}

/**
 * Makes the folder when it is not there, for its owner only. Throws what the file system throws; a link in its place is
 * refused, and so is a folder that others may write: they could replace its files.
 */
function prepareStateFolder(folder: string): void {
  makeFolder(folder);
  const stats = lstatSync(folder);
  const code = stats.isSymbolicLink() ? 'ELOOP' : 'ENOTDIR';
  if (!stats.isDirectory()) throw Object.assign(new Error('no folder'), { code });
  refuseShared(stats);
}

/**
 * The text of a regular file, or null if there is none. A link in its place is refused, not followed, and so is a file
 * that others may write.
 */
export async function readJournalFile(path: string): Promise<string | null> {
  return readUnlinkedText(path, refuseShared).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Replaces the old file, which exists until the new one has its first text. The lock allows only one writer. */
export async function replaceJournalFile(path: string, text: string): Promise<JournalFile> {
  await writeAtomically(path, text, `${path}.new`);
  const file = await openRegular(path, constants.O_WRONLY | constants.O_APPEND);
  return {
    append: (more) => file.appendFile(more),
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}
