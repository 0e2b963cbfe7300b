import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalTenant } from '../contract/formats.ts';
import { refuseShared } from '../files/safe-file-access.ts';
import type { ApplyRun, ApplyStateStore } from './apply-state-store.ts';
import { continueJournalFile, readJournalFile, replaceJournalFile } from './journal-file.ts';
import { cannotUse } from './journal-trouble.ts';
import { takeLock } from './lock.ts';

/** Two files for each tenant, in a folder that processes may share: a lock and a journal. */
export function folderStore(folder: string, baseUrl: string): ApplyStateStore {
  const { lock, journal } = stateFiles(folder, baseUrl);
  return {
    acquire(run) {
      const taken = take(folder, lock, run);
      if (!taken.ok) return { lock: taken.found };
      return {
        ...taken,
        journal,
        last: () => readJournalFile(journal),
        append: (kept, text) =>
          kept === 0 ? replaceJournalFile(journal, text) : continueJournalFile(journal, kept, text),
      };
    },
  };
}

function take(folder: string, lock: string, { started, toolVersion, breakLock }: ApplyRun) {
  try {
    prepareStateFolder(folder);
  } catch (error) {
    throw cannotUse(folder, error);
  }
  try {
    return takeLock(lock, { since: started, toolVersion, ...(breakLock !== undefined && { breaks: breakLock }) });
  } catch (error) {
    throw cannotUse(lock, error);
  }
}

/** The two files of one tenant. */
export interface StateFiles {
  readonly lock: string;
  readonly journal: string;
}

/**
 * Named after the host, for people, and after the complete base URL, so that two tenants never share:
 * `login.acme.example-1f0c2a9b`. Spellings of one tenant give one name.
 */
export function stateFiles(folder: string, baseUrl: string): StateFiles {
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw Object.assign(new Error('a link'), { code: 'ELOOP' });
  refuseShared(stats);
}
