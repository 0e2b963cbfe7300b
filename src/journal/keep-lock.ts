import { constants } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegular } from '../files/safe-file-access.ts';
import { cannotUse, JournalTrouble } from './journal-trouble.ts';
import { missedHeartbeats } from './lock-holder.ts';

/** Keeps a lock alive, and notices if it is lost. */
export type LockKeeper = Omit<ReturnType<typeof keepLock>, 'stop'>;

interface KeeperOptions {
  /** Content of the lock. */
  readonly text: string;
  readonly heartbeatMs: number;
  readonly isMine: () => boolean;
}

/** Longer than another process needs between its check that a lock is stale and its rename. */
const longestRenameMs = 1_000;

/**
 * A process that was suspended for longer than its lock is valid must not send anything before it knows that it still
 * has the lock: others may be replacing it at this moment. So after a pause the lock is renewed, and read again a
 * moment later.
 */
export function keepLock(path: string, { text, heartbeatMs, isMine }: KeeperOptions) {
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
  /** Rejects with a JournalTrouble if another process has the lock, or if the lock cannot be kept alive. */
  const verify = async (): Promise<void> => {
    orThrow(lost());
    if (Date.now() - renewedAt < (missedHeartbeats / 2) * heartbeatMs) return;
    await renew().catch((error: unknown) => orThrow(cannotUse(path, error)));
    await sleep(Math.min(longestRenameMs, heartbeatMs));
    orThrow(lost());
  };
  return { verify, lost, stop: () => clearInterval(timer) };
}

/** Writes the first character again: the content stays the same, and the file system sets the time by its own clock. */
async function writeHeartbeat(path: string, text: string): Promise<void> {
  const file = await openRegular(path, constants.O_RDWR);
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
