// The statements on the tables of the queue. A tenant has one job at most, waiting or running, because its name is the key of
// the job: so no tenant is checked by two workers at once. Named queues would do the same, but each fetch of a job locks the
// rows of all of them.

import { lockKey, type Session, unusable } from '../database/connect.ts';
import { type LockTimes, type SessionLock, takeSessionLock } from '../database/session-lock.ts';

export const queueSchema = 'tenant_sync_queue';
const jobs = `${queueSchema}._private_jobs`;

export const checkTask = 'check';
export const scheduleTask = 'schedule';

/** What a job of a check knows. */
export interface CheckPayload {
  readonly tenant: string;
  /** The same for all tenants that were scheduled together. */
  readonly run: string;
}

/** The job of a check, and the worker that has it. */
export interface HeldJob {
  readonly id: string;
  readonly worker: string;
  readonly tenant: string;
}

/** Tries of a job that fails, with the pauses of the queue: 3 and 7 seconds. */
const mostTries = 3;

/** A schedule that failed is replaced by the next one. */
export const scheduleJob = { maxAttempts: mostTries, jobKey: scheduleTask } as const;

/** Adds a job for each of these tenants that has none. What failed in all its tries begins anew. */
export async function addChecks(session: Session, tenants: readonly string[], run: string): Promise<void> {
  await session.query(`delete from ${jobs} where locked_at is null and attempts >= max_attempts`);
  await session.query(
    `select count(${queueSchema}.add_job('${checkTask}', json_build_object('tenant', name, 'run', $2::text),
       max_attempts => ${mostTries}, job_key => 'check ' || name, job_key_mode => 'unsafe_dedupe'))
     from unnest($1::text[]) as name`,
    [[...tenants].sort(), run],
  );
}

/** How many jobs are in each state. */
export async function countJobs(session: Session) {
  const [row] = await session.query<{ waiting: number; running: number; failed: number }>(
    `select count(*) filter (where is_available)::int as waiting, count(*) filter (where locked_at is not null)::int as running,
       count(*) filter (where locked_at is null and not is_available)::int as failed from ${jobs}`,
  );
  return row ?? { waiting: 0, running: 0, failed: 0 };
}

/**
 * Releases the jobs of workers without a lock, if they had none for the time of grace. An id that has lost its lock never
 * gets it back. Returns the ids.
 */
export function openSweep({ graceMs }: Pick<WorkerTimes, 'graceMs'>): (session: Session) => Promise<readonly string[]> {
  const seen = new Map<string, number>();
  return async (session) => {
    // In this order: a worker takes its lock before its first job.
    const ids = await session.query<{ id: string }>(
      `select distinct locked_by as id from ${jobs} where locked_by is not null`,
    );
    const locks = await session.query<{ key: string }>(
      `select ((classid::bigint << 32) | objid::bigint)::text as key from pg_locks join pg_database on oid = database
       where locktype = 'advisory' and datname = current_database()`,
    );
    const held = new Set(locks.map(({ key }) => key));
    const unlocked = ids.map(({ id }) => id).filter((id) => !held.has(lockKey('worker', id)));
    for (const id of seen.keys()) if (!unlocked.includes(id)) seen.delete(id);
    for (const id of unlocked) if (!seen.has(id)) seen.set(id, performance.now());
    const gone = unlocked.filter((id) => performance.now() - (seen.get(id) ?? Number.POSITIVE_INFINITY) >= graceMs);
    if (gone.length > 0) await session.query(`select ${queueSchema}.force_unlock_workers($1::text[])`, [gone]);
    return gone;
  };
}

/**
 * Gives a job back as if it had not begun, for a second from now: by then its own worker, which is about to end, has told the
 * queue that it failed, which finds nothing.
 */
export async function releaseJob(session: Session, { id, worker }: Pick<HeldJob, 'id' | 'worker'>): Promise<void> {
  await session.query(
    `update ${jobs} set locked_at = null, locked_by = null, attempts = greatest(attempts - 1, 0),
       run_at = now() + interval '1 second'
     where id = $1 and locked_by = $2`,
    [id, worker],
  );
}

/** The job of a worker, in a statement that changes it: no row if the job was given to another. */
export function ownJob(isDone: boolean): string {
  const own = 'where id = $1 and locked_by = $2 returning id';
  return isDone ? `delete from ${jobs} ${own}` : `update ${jobs} set updated_at = now() ${own}`;
}

// A worker that is gone must lose its jobs, and one that is alive must keep them. PostgreSQL knows which it is: a worker has
// an advisory lock on its id, in a session of its own, and the server releases it when the session ends. The session tells
// the worker as well, but perhaps late, or while it is suspended. So the worker trusts it only as long as the last response is
// recent, and others wait longer than that before they take its jobs:
//
//   confirmed ── valid for 15 s ── the last request of a job
//                    session ends ── seen by a sweep ── 30 s of grace ── its jobs are given to others

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
