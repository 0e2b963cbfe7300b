// A worker that is gone must lose its jobs, and one that is alive must keep them. PostgreSQL knows which it is: a worker has
// an advisory lock on its id, in a session of its own, and the server releases it when the session ends. The session tells
// the worker as well, but perhaps late, or while it is suspended. So the worker trusts it only as long as the last response is
// recent, and others wait longer than that before they take its jobs:
//
//   confirmed ── valid for 15 s ── the last request of a job
//                    session ends ── seen by a sweep ── 30 s of grace ── its jobs are given to others

import { unusable } from '../database/database-trouble.ts';
import { lockKey } from '../database/lock-key.ts';
import { type LockTimes, type SessionLock, takeSessionLock } from '../database/session-lock.ts';

/** In milliseconds. Equal in all workers of a database. */
export interface WorkerTimes extends LockTimes {
  /** The server ends a session that is silent for longer, such as that of a suspended process. */
  readonly silentMs: number;
  /** From the first sight of an id without a lock to the release of its jobs: longer than `validMs`. */
  readonly graceMs: number;
  /** Between two looks at the ids. */
  readonly sweepMs: number;
}

export const usualTimes: WorkerTimes = {
  heartbeatMs: 5_000,
  validMs: 15_000,
  silentMs: 40_000,
  graceMs: 30_000,
  sweepMs: 10_000,
};

/** Takes the lock of a worker's id. Rejects with a JournalTrouble. */
export async function lockWorker(url: string, id: string, times: WorkerTimes): Promise<SessionLock> {
  const taken = await takeSessionLock(url, lockKey('worker', id), `worker ${id}`, times);
  if (!('session' in taken)) throw unusable('STATE_POOLED', `the worker ${id} is known already`, 'rerun');
  await taken.session.query(`select set_config(name, $1, false) from pg_settings where name = 'idle_session_timeout'`, [
    String(times.silentMs),
  ]);
  return taken;
}
