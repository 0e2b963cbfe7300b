// Checks the tenants of a project on a schedule. The queue is graphile-worker: schedule, jobs, retries and backoff. Of ours are
// the lock that protects the jobs of a worker, and the results.

import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task, TaskList, WorkerEvents } from 'graphile-worker';
import { atMost, databaseTrouble, openPool, optional } from '../database/connect.ts';
import type { SessionLock } from '../database/session-lock.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import { type Found, readChecks, saveCheck } from './checks.ts';
import {
  addChecks,
  type CheckPayload,
  checkTask,
  countJobs,
  type HeldJob,
  lockWorker,
  openSweep,
  queueSchema,
  releaseJob,
  scheduleJob,
  scheduleTask,
  type WorkerTimes,
} from './jobs.ts';

export interface WorkerOptions {
  /** postgres://… */
  readonly url: string;
  /** When all tenants are checked: five fields, in UTC. */
  readonly cron: string;
  /** How many tenants are checked at once. */
  readonly parallel: number;
  /** Checks all tenants now, and ends when no job is left. */
  readonly once: boolean;
  /** Ends the worker. */
  readonly signal: AbortSignal;
  readonly times: WorkerTimes;
  /** The tenants of the project. `run` is another one for each schedule: then the files may have changed. */
  readonly tenants: (run: string) => Promise<readonly string[]>;
  /**
   * Checks one tenant, or returns null if the project no longer has it. Nothing may be sent after `signal` aborts, or when
   * `maySend` returns false.
   */
  readonly check: (job: CheckPayload, until: Until) => Promise<Found | null>;
  /** Messages for people. */
  readonly log: (text: string) => void;
  readonly onState?: (state: WorkerState) => void;
}

export interface Until {
  readonly signal: AbortSignal;
  readonly maySend: () => boolean;
}

/** Whether the worker works now. */
export type WorkerState = 'working' | 'disconnected';

/** The pause before another try to reach the database. */
const reconnectMs = 2_000;
/** After four hours, the queue gives a job to another worker, whoever has it. */
const longestCheckMs = 3 * 3_600_000;
/** What does not end in time is left to the other workers. */
const longestStopMs = 2_000;

/**
 * Works until a signal, or until no job is left. A lost database is waited for. Rejects with a JournalTrouble if it cannot be
 * reached at the start, and with `once` if it refuses what a worker needs.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { signal, once, log, onState = () => {} } = options;
  const progress: Progress = { hasBegun: false, lost: null };
  while (!signal.aborted) {
    try {
      return await work(options, progress);
    } catch (error) {
      if (!progress.hasBegun || !(error instanceof JournalTrouble)) throw error;
      if (once && error.diagnostic.code.startsWith('STATE_')) throw error;
      if (progress.lost !== error.message)
        log(`${error.message} The worker tries again every ${reconnectMs / 1000} s.`);
      progress.lost = error.message;
    }
    onState('disconnected');
    await sleep(reconnectMs, undefined, { signal }).catch(() => {});
  }
}

/** What a worker has done that the next one with another id need not do again. */
interface Progress {
  hasBegun: boolean;
  /** Why the database is being waited for, as people know; null while it is not. */
  lost: string | null;
}

/** One worker with its id and its lock. Rejects with a JournalTrouble if it loses the lock. */
async function work(options: WorkerOptions, progress: Progress): Promise<void> {
  const { signal, once, tenants, log, onState = () => {}, times } = options;
  const started = new AbortController();
  const { stop, locked, stopped } = await startQueue(options, AbortSignal.any([signal, started.signal]));
  const lock = await locked.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const sweep = openSweep(times);
  const ended = AbortSignal.any([signal, lock.signal, stopped]);
  try {
    onState('working');
    if (progress.lost !== null) log('The database can be used again.');
    progress.lost = null;
    if (!progress.hasBegun) await addFirst(lock, await tenants('start'), once);
    progress.hasBegun = true;
    for (let due = 0; !ended.aborted && lock.lost() === null; ) {
      if (once && (await isIdle(lock))) return;
      if (performance.now() >= due) {
        for (const id of await sweep(lock.session)) log(`Released the jobs of the worker ${id}, which is gone.`);
        due = performance.now() + times.sweepMs;
      }
      await sleep(Math.min(times.sweepMs, 500), undefined, { signal: ended }).catch(() => {});
    }
    if (!signal.aborted) throw lock.lost() ?? stopped.reason;
  } finally {
    started.abort();
    await stop();
    await lock.release();
  }
}

/** All tenants, or those that were never checked: they do not wait for the schedule. */
async function addFirst({ session }: SessionLock, names: readonly string[], all: boolean): Promise<void> {
  const unchecked = async () => (await readChecks(session, names)).filter(({ last }) => last === null);
  const chosen = all ? names : (await unchecked()).map(({ tenant }) => tenant);
  await addChecks(session, chosen, 'start');
}

async function isIdle({ session }: SessionLock): Promise<boolean> {
  const { waiting, running } = await countJobs(session);
  return waiting + running === 0;
}

/** Starts the queue. No job is fetched before its lock is taken, or when the lock may be lost. */
async function startQueue(options: WorkerOptions, signal: AbortSignal) {
  const { url, cron, parallel, log, times } = options;
  const { run, parseCronItems, Logger } = await loadQueue();
  const { pool, destroy } = await openPool(url, parallel + 2);
  const events: WorkerEvents = new EventEmitter();
  const worker = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
  });
  const locked = worker.then((id) => lockWorker(url, id, times));
  locked.catch(() => {});
  const started = run({
    pgPool: pool,
    schema: queueSchema,
    concurrency: parallel,
    noHandleSignals: true,
    // Without batches, nothing catches what the database refuses at the end of a job.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    events,
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error' && meta?.['failure'] !== true) log(`Queue: ${message}`);
    }),
    // Without the lock no job is fetched, and what would be thrown is the reason why the worker ends.
    forbiddenFlags: () =>
      locked
        .then((lock) => lock.verify())
        .then(
          () => null,
          () => new Promise(() => {}),
        ),
    parsedCronItems: parseCronItems([{ task: scheduleTask, match: cron, options: scheduleJob }]),
    taskList: tasksOf(options, worker, locked, signal),
  });
  const runner = await started.catch((error: unknown) => {
    destroy();
    throw databaseTrouble(error);
  });
  // Others can end it, such as a new version of the queue that migrates its tables.
  const stopped = new AbortController();
  const onStop = (error?: unknown) => stopped.abort(databaseTrouble(error ?? new Error('the queue has stopped')));
  runner.promise.then(() => onStop(), onStop);
  const stop = async () => {
    await atMost(longestStopMs, runner.stop());
    destroy();
  };
  return { locked, stop, stopped: stopped.signal };
}

/** The queue tries again, and what was found is printed already. */
const failedCheck = new Error('the check failed');

function tasksOf(
  { check, tenants, log, signal: stopping }: WorkerOptions,
  worker: Promise<string>,
  locked: Promise<SessionLock>,
  signal: AbortSignal,
): TaskList {
  const checking = endingWith(signal, longestCheckMs);
  type Work = (lock: SessionLock, job: Job, payload: unknown) => Promise<void>;
  const whileHeld =
    (work: Work): Task =>
    async (payload, { job }) => {
      const lock = await locked;
      try {
        await lock.verify();
        await work(lock, job, payload);
      } catch (error) {
        // Without the lock, the end of a job is no longer this worker's to write: others release it.
        if (lock.lost() !== null) await new Promise(() => {});
        // What a signal interrupts is not a try that failed: the next worker begins it again.
        if (stopping.aborted) await releaseJob(lock.session, { id: job.id, worker: await worker });
        else if (error !== failedCheck)
          log(`The job ${job.task_identifier} failed: ${error instanceof Error ? error.message : error}`);
        throw error;
      }
    };
  return {
    [scheduleTask]: whileHeld(async ({ session }, { id }) => addChecks(session, await tenants(id), id)),
    [checkTask]: whileHeld(async (lock, { id }, payload) => {
      const given = payload as CheckPayload;
      const found = await checking((until) => check(given, { signal: until, maySend: () => lock.lost() === null }));
      if (found === null) return log(`${given.tenant} is no longer a tenant of the project.`);
      const held: HeldJob = { id, worker: await worker, tenant: given.tenant };
      // A job that was given to another worker must not be ended by this one.
      if (!(await saveCheck(lock.session, held, found))) throw new Error('the job was given to another worker');
      log(`${given.tenant}: ${wordsOf(found)}`);
      if (!found.isFinal) throw failedCheck;
    }),
  };
}

/** Work that ends with the signal, or after so long. AbortSignal.any would make the signal remember all that ever ran. */
function endingWith(signal: AbortSignal, ms: number) {
  const running = new Set<AbortController>();
  signal.addEventListener('abort', () => {
    for (const one of running) one.abort(signal.reason);
  });
  return async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    signal.throwIfAborted();
    const one = new AbortController();
    const timer = setTimeout(() => one.abort(new Error('it took too long')), ms);
    running.add(one);
    try {
      const result = await work(one.signal);
      one.signal.throwIfAborted();
      return result;
    } finally {
      clearTimeout(timer);
      running.delete(one);
    }
  };
}

function wordsOf({ differs, problems }: Found): string {
  if (differs === null) return ['not compared', ...new Set(problems)].join(', ');
  return differs ? 'differs' : 'no differences';
}

/** Whether a text is a schedule of five fields. */
export async function isSchedule(match: string): Promise<boolean> {
  const { parseCronItems } = await loadQueue();
  try {
    return parseCronItems([{ task: scheduleTask, match }]).length > 0;
  } catch {
    return false;
  }
}

function loadQueue() {
  return optional('graphile-worker@0.17 pg@8', import('graphile-worker'));
}
