import type { JournalTrouble } from '../journal/journal-trouble.ts';
import type { LockKeeper } from '../journal/lock.ts';
import { atMost, connect, databaseTrouble, lockKey, longestFarewellMs, type Session, unusable } from './connect.ts';
import { migrate } from './migrate.ts';

/** A lock that ends with its session, whatever happens to this process. */
export interface SessionLock extends LockKeeper {
  /** Has the lock. A statement of it must not take longer than a heartbeat. */
  readonly session: Session;
  /** Aborts when the lock is lost, or was not confirmed for too long. The reason is a JournalTrouble. */
  readonly signal: AbortSignal;
  /**
   * Runs one statement that returns rows only if the condition `held` is true. The values are those of $2 and more.
   * Rejects with a JournalTrouble if it returns none.
   */
  write(statement: (held: string) => string, values: readonly unknown[]): Promise<void>;
  release(): Promise<void>;
}

/** Durations in milliseconds. */
export interface LockTimes {
  /** How often the lock is confirmed. */
  readonly heartbeatMs: number;
  /**
   * How long after it was confirmed the lock counts as held. Much shorter than the time after which the server ends the
   * session of a process that it cannot reach: only then another process gets the lock.
   */
  readonly validMs: number;
}

const defaultTimes: LockTimes = { heartbeatMs: 5_000, validMs: 15_000 };

/** 40 seconds without a sign of the client end its session. A setting that the server does not have is left out. */
const settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '6',
  tcp_user_timeout: '40000',
  idle_session_timeout: '0',
  synchronous_commit: 'on',
};

/** How often a pooler gets the chance to show itself. */
const poolChecks = 3;

/** The lock $1, for those who have it. */
const held = `from pg_locks where locktype = 'advisory' and granted and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())
  and (classid::bigint << 32) | objid::bigint = $1::bigint`;
const isHeld = `exists (select ${held} and pid = pg_backend_pid())`;

/** Who has the lock: a backend of the server, null if it has just ended, and what this holder says of itself. */
export interface OtherHolder {
  readonly backend: number | null;
  readonly holder: string | null;
}

/** Migrates the database and takes a lock, or finds out who has it. `holder` is a text for others. */
export async function takeSessionLock(
  url: string,
  key: string,
  holder: string,
  times = defaultTimes,
): Promise<SessionLock | OtherHolder> {
  const session = await connect(url);
  try {
    await migrate(session);
    await session.query(
      'select set_config(key, value, false) from json_each_text($1::json) join pg_settings on name = key',
      [JSON.stringify(settings)],
    );
    await refusePooler(url, session);
    if (await takenOn(session, key, holder)) return keep(session, key, times);
    const [other] = await session.query<OtherHolder>(
      `select pid as backend, holder from (select pid ${held}) as lock
       left join tenant_sync.holders on key = $1::bigint and backend = pid`,
      [key],
    );
    await session.end();
    return other ?? { backend: null, holder: null };
  } catch (error) {
    await session.end();
    throw error;
  }
}

async function takenOn(session: Session, key: string, holder: string): Promise<boolean> {
  const [row] = await session.query<{ had: boolean; taken: boolean | null }>(
    `with before as materialized (select ${isHeld} as had)
     select had, case when not had then pg_try_advisory_lock($1::bigint) end as taken from before`,
    [key],
  );
  // Another process has it, over the same session.
  if (row?.had === true) throw pooled();
  if (row?.taken !== true) return false;
  await session.query(
    `insert into tenant_sync.holders values ($1::bigint, pg_backend_pid(), $2)
     on conflict (key) do update set backend = excluded.backend, holder = excluded.holder`,
    [key, holder],
  );
  return true;
}

/**
 * A pooler that gives each transaction a free session gives that of this connection to another one, or a different one
 * to this. What it leaves behind is a shared lock, which nobody waits for.
 */
async function refusePooler(url: string, session: Session): Promise<void> {
  const key = lockKey('probe', '');
  await session.query('select pg_advisory_lock_shared($1)', [key]);
  const other = await connect(url);
  try {
    await other.transaction(async () => {
      if (await holds(other, key)) throw pooled();
      for (let check = 0; check < poolChecks; check += 1) if (!(await holds(session, key))) throw pooled();
    });
  } finally {
    await other.end();
  }
}

async function holds(session: Session, key: string): Promise<boolean> {
  return (await session.query<{ held: boolean }>(`select ${isHeld} as held`, [key]))[0]?.held === true;
}

function pooled(): JournalTrouble {
  const why = 'a pooler gives each transaction another session, and a lock belongs to one session';
  return unusable('STATE_POOLED', why, 'name the server itself, or a pool that keeps sessions');
}

/**
 * Two clocks, because one stands still while the machine is suspended, and the other may be set back. A process that was
 * stopped finds that its lock is too old, before it does anything.
 */
function keep(session: Session, key: string, { heartbeatMs, validMs }: LockTimes): SessionLock {
  const expired = new AbortController();
  const signal = AbortSignal.any([session.ended, expired.signal]);
  let confirmedAt = clocks();
  const age = () => {
    const now = clocks();
    return Math.max(now.wall - confirmedAt.wall, now.steady - confirmedAt.steady);
  };
  const lost = (): JournalTrouble | null => {
    if (!signal.aborted && age() > validMs)
      expired.abort(notHeld(`it was not confirmed for ${Math.round(age() / 1000)} s`));
    return signal.aborted ? databaseTrouble(signal.reason) : null;
  };
  /** `isStillHeld` asks the server. */
  const confirm = async (isStillHeld: () => Promise<boolean>): Promise<void> => {
    const began = clocks();
    if (!(await isStillHeld())) expired.abort(notHeld('the server has released it'));
    signal.throwIfAborted();
    confirmedAt = began;
  };
  const verify = async (longest: number): Promise<void> => {
    const trouble = lost();
    if (trouble !== null) throw trouble;
    if (age() >= longest) await confirm(() => holds(session, key));
  };
  const timer = setInterval(() => void verify(0).catch(() => {}), heartbeatMs);
  timer.unref();
  return {
    session,
    signal,
    lost,
    verify: () => verify(validMs / 2),
    write: (statement, values) =>
      confirm(async () => (await session.query(statement(isHeld), [key, ...values])).length > 0),
    release: async () => {
      clearInterval(timer);
      if (!signal.aborted) await atMost(longestFarewellMs, session.query('select pg_advisory_unlock_all()'));
      await session.end();
    },
  };
}

function notHeld(why: string): JournalTrouble {
  const hint = 'rerun; the next run resolves what was in flight';
  return unusable('APPLY_LOCK_LOST', `this process no longer has its lock: ${why}`, hint);
}

function clocks() {
  return { wall: Date.now(), steady: performance.now() };
}
