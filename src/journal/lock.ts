import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { noFollow, openRegular, refuseShared } from '../files/safe-file-access.ts';
import { tried } from '../values/tried.ts';
import { cannotUse, JournalTrouble, orCannotUse } from './journal-trouble.ts';
import { type ApplyRun, type FoundLock, isStale, missedHeartbeats, newHolder, parseLock } from './lock-holder.ts';

/**
 * One apply at a time for each tenant, among all processes that share a state folder. The lock is a file that names its
 * holder. It is created complete, by a hard link, which fails if the file exists: no reader sees a partial lock. The
 * holder writes to it at an interval.
 */

export type Taken =
  | ({ readonly ok: true } & ReturnType<typeof keepLock>)
  | { readonly ok: false; readonly found: FoundLock };

/** Throws what the file system throws, and refuses a lock that others may write. */
export function takeLock(path: string, run: ApplyRun, heartbeatMs?: number): Taken {
  const mine = newHolder(run, heartbeatMs);
  const text = JSON.stringify(mine);
  const draft = `${path}.${mine.nonce}`;
  fs.writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    // The machines that share the folder may have different clocks. The file system has one.
    const now = fs.statSync(draft).mtimeMs;
    const found = acquire(path, draft, now);
    if (found !== 'mine') return { ok: false, found };
  } finally {
    fs.unlinkSync(draft);
  }
  return { ok: true, ...keepLock(path, text, mine.heartbeat_ms) };
}

/**
 * Puts `draft`, a complete lock under another name, at `path`, unless a running process has the lock.
 *
 * A stale lock is replaced under a second lock: a file named after exactly that lock, created in the same way. So only
 * one of several processes replaces it, and a late one finds that it no longer exists. A process that ends while it
 * replaces a lock leaves a stale second lock, which is replaced in the same way.
 */
function acquire(path: string, draft: string, now: number): 'mine' | FoundLock {
  for (;;) {
    if (linked(draft, path)) return 'mine';
    const found = readLock(path, now);
    if (found === null) continue;
    if (!isStale(found)) return found;
    const replacing = `${path}.${createHash('sha256').update(found.text).digest('hex').slice(0, 16)}`;
    const replacer = acquire(replacing, draft, now);
    if (replacer !== 'mine') return replacer;
    const again = readLock(path, now);
    // The rename moves the second lock, so it becomes the lock.
    if (again?.text === found.text && isStale(again)) {
      fs.renameSync(replacing, path);
      return 'mine';
    }
    fs.unlinkSync(replacing);
  }
}

function linked(existing: string, path: string): boolean {
  try {
    fs.linkSync(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null if there is none. A link is refused, and so is a lock that others may write. */
function readLock(path: string, now: number): FoundLock | null {
  let file: number;
  try {
    file = fs.openSync(path, fs.constants.O_RDONLY | noFollow);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const stats = fs.fstatSync(file);
    refuseShared(stats);
    return { ...parseLock(fs.readFileSync(file, 'utf8'), now - stats.mtimeMs), path };
  } finally {
    fs.closeSync(file);
  }
}

/** Keeps a lock alive, and notices if it is lost. */
export type LockKeeper = Pick<ReturnType<typeof keepLock>, 'verify' | 'lost'>;

/** Longer than another process needs between its check that a lock is stale and its rename. */
const longestRenameMs = 1_000;

/**
 * A process that was suspended for longer than its lock is valid must not send anything before it knows that it still
 * has the lock: others may be replacing it at this moment. So after a pause the lock is renewed, and read again a
 * moment later.
 */
function keepLock(path: string, text: string, heartbeatMs: number) {
  const isMine = () => readLock(path, 0)?.text === text;
  let renewedAt = Date.now();
  const renew = async () => {
    const startedAt = Date.now();
    await writeHeartbeat(path, text);
    renewedAt = startedAt;
  };
  // A heartbeat that fails is repeated at the next interval, and by verify.
  const timer = setInterval(() => void renew().catch(() => {}), heartbeatMs);
  timer.unref();

  /** A JournalTrouble if another process has the lock now. */
  const lost = (): JournalTrouble | null => {
    try {
      return isMine() ? null : lockLost(path);
    } catch (error) {
      return cannotUse(path, error);
    }
  };
  const orThrow = (trouble: JournalTrouble | null) => {
    if (trouble !== null) throw trouble;
  };
  return {
    lost,
    /** Rejects with a JournalTrouble if another process has the lock, or if the lock cannot be kept alive. */
    async verify(): Promise<void> {
      orThrow(lost());
      if (Date.now() - renewedAt < (missedHeartbeats / 2) * heartbeatMs) return;
      await orCannotUse(path, renew);
      await sleep(Math.min(longestRenameMs, heartbeatMs));
      orThrow(lost());
    },
    release(): void {
      clearInterval(timer);
      // The run has ended, and a lock that cannot be removed expires.
      tried(() => isMine() && fs.unlinkSync(path));
    },
  };
}

/** Writes the first character again: the content stays the same, and the file system sets the time by its own clock. */
async function writeHeartbeat(path: string, text: string): Promise<void> {
  const file = await openRegular(path, fs.constants.O_RDWR);
  try {
    if ((await file.readFile('utf8')) !== text) return;
    await file.write(text.slice(0, 1), 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

function lockLost(path: string): JournalTrouble {
  return new JournalTrouble(
    'APPLY_LOCK_LOST',
    `Another process has taken or removed the lock ${path}. Nothing more is sent.`,
    'wait until no apply of this tenant is running, and rerun apply',
  );
}
