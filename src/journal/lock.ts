import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, linkSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { noFollow } from '../files/safe-file-access.ts';

/**
 * One apply at a time for each tenant, on one machine. The lock is a file that names its holder. It is created
 * complete, by a hard link, which fails if the file exists: no reader sees a partial lock.
 */

export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO time at which the lock was taken. */
  readonly since: string;
  readonly tool_version: string;
  /** See startTicks. */
  readonly ticks: string | null;
  /** No two locks are alike. */
  readonly nonce: string;
}

/** `holder` is null if another version wrote the lock, in another format. */
export type Taken = { readonly ok: true; release(): void } | { readonly ok: false; readonly holder: LockHolder | null };

export interface LockTerms {
  /** ISO time. */
  readonly since: string;
  readonly toolVersion: string;
}

/** Throws what the file system throws. */
export function takeLock(path: string, { since, toolVersion }: LockTerms): Taken {
  const nonce = randomBytes(8).toString('hex');
  const mine: LockHolder = {
    pid: process.pid,
    host: hostname(),
    since,
    tool_version: toolVersion,
    ticks: startTicks(process.pid),
    nonce,
  };
  const text = JSON.stringify(mine);
  const draft = `${path}.${nonce}`;
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    const holder = acquire(path, draft);
    return holder === 'mine'
      ? { ok: true, release: () => removeIf(path, text) }
      : { ok: false, holder: holder === 'unknown' ? null : holder };
  } finally {
    unlinkSync(draft);
  }
}

type Acquired = 'mine' | 'unknown' | LockHolder;

/**
 * Puts `draft` at `path`, unless a running process has the lock.
 *
 * A stale lock, whose process no longer exists, is replaced under a second lock: a file named after exactly that stale
 * lock, created in the same way. So only one of several processes replaces it, and a late one finds that it no longer
 * exists. A process that ends while it replaces a lock leaves a stale second lock, which is replaced in the same way.
 */
function acquire(path: string, draft: string): Acquired {
  for (;;) {
    if (linked(draft, path)) return 'mine';
    const found = readIfThere(path);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (holder === 'unknown' || (holder !== null && !isGone(holder))) return holder;
    const replacing = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 16)}`;
    const replacer = acquire(replacing, draft);
    if (replacer !== 'mine') return replacer;
    const stillDead = readIfThere(path) === found;
    // The rename moves the second lock, so it becomes the lock.
    if (stillDead) {
      renameSync(replacing, path);
      return 'mine';
    }
    unlinkSync(replacing);
  }
}

function isGone({ host, pid, ticks }: LockHolder): boolean {
  if (host !== hostname()) return false;
  return !isAlive(pid) || (ticks !== null && startTicks(pid) !== ticks);
}

/** Null: a power cut took its content, so the machine that it was taken on has been off since. */
function parseHolder(text: string): LockHolder | 'unknown' | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isHolder(value) ? value : 'unknown';
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, since, ticks } = value as Partial<Record<keyof LockHolder, unknown>>;
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    typeof host === 'string' &&
    typeof since === 'string' &&
    (ticks === null || typeof ticks === 'string')
  );
}

function linked(existing: string, path: string): boolean {
  try {
    linkSync(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readIfThere(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | noFollow);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function removeIf(path: string, text: string): void {
  if (readIfThere(path) === text) unlinkSync(path);
}

/**
 * When a process started, in clock ticks since the machine started (Linux only; null elsewhere). It distinguishes
 * processes that had the same id one after the other.
 */
export function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold spaces and brackets; the 22nd is the beginning.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** True if a process of this machine exists, also if it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
