// The lock of real sessions: who has it, when it is lost, and how soon this is noticed.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lockKey } from '../../src/database/connect.ts';
import { type SessionLock, takeSessionLock } from '../../src/database/session-lock.ts';
import { startDatabaseProxy, startPooler } from '../support/database-proxy.ts';
import { asAdmin, newDatabase } from '../support/postgres.ts';

const key = lockKey('worker', 'of a test');
const quick = { heartbeatMs: 100, validMs: 1_000 };

async function locked(url: string, times = quick): Promise<SessionLock> {
  const taken = await takeSessionLock(url, key, 'this test', times);
  if (!('session' in taken)) throw new Error(`held by ${taken.backend}`);
  onTestFinished(() => taken.release());
  return taken;
}

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'no error',
    (error) => error.diagnostic?.code ?? error,
  );
const row = (held: string) => `insert into written select $2 where ${held} returning true`;
const backends =
  "select pid from pg_stat_activity where datname = current_database() and application_name = 'tenant-sync'";

test('one session has the lock, another finds out which, and gets it after a release', async () => {
  const url = await newDatabase();
  const first = await locked(url);
  const [backend] = await asAdmin(url, backends);
  expect(await takeSessionLock(url, key, 'another')).toEqual({ backend: backend?.['pid'], holder: 'this test' });
  await first.release();
  await locked(url);
  expect(await asAdmin(url, backends)).toHaveLength(1);
});

test('of many that try at once, one gets it', async () => {
  const url = await newDatabase();
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeSessionLock(url, key, '')));
  const held = taken.filter((one) => 'session' in one);
  await Promise.all(held.map((one) => one.release()));
  expect(held).toHaveLength(1);
});

test('it stays valid while it is confirmed, and what is written proves it', async () => {
  const url = await newDatabase();
  const lock = await locked(url);
  await asAdmin(url, 'create table written (text text)');
  await sleep(2 * quick.validMs);
  expect(lock.lost()).toBe(null);
  await lock.verify();
  await lock.write(row, ['one']);
  await lock.session.query('select pg_advisory_unlock_all()');
  expect(await codeOf(lock.write(row, ['two']))).toBe('APPLY_LOCK_LOST');
  expect(await asAdmin(url, 'select text from written')).toEqual([{ text: 'one' }]);
  expect(lock.lost()?.diagnostic.code).toBe('APPLY_LOCK_LOST');
});

test('the server ends the session: it is lost at once', async () => {
  const url = await newDatabase();
  const lock = await locked(url);
  await asAdmin(url, `select pg_terminate_backend(pid) from (${backends}) as those`);
  await vi.waitFor(() => expect(lock.signal.aborted).toBe(true));
  expect(lock.lost()?.diagnostic.code).toBe('DATABASE_UNREACHABLE');
  expect([await codeOf(lock.verify()), await codeOf(lock.write(row, ['']))]).toEqual([
    'DATABASE_UNREACHABLE',
    'DATABASE_UNREACHABLE',
  ]);
});

test('the network swallows everything: it is lost before the server can know', async () => {
  const proxy = await startDatabaseProxy(await newDatabase());
  const lock = await locked(proxy.url);
  proxy.swallow();
  await sleep(quick.validMs / 4);
  expect(lock.lost()).toBe(null);
  await vi.waitFor(() => expect(lock.signal.aborted).toBe(true), { timeout: 2 * quick.validMs });
  expect(lock.lost()?.diagnostic).toMatchObject({ code: 'APPLY_LOCK_LOST' });
});

test.each([
  ['the wall clock', () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)],
  ['the monotonic clock', () => vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)],
])('%s shows that the process was stopped: it is lost, although the session is not', async (_clock, jump) => {
  const lock = await locked(await newDatabase(), { heartbeatMs: 60_000, validMs: 15_000 });
  expect(lock.lost()).toBe(null);
  const spy = jump();
  onTestFinished(() => spy.mockRestore());
  expect(lock.lost()?.diagnostic.code).toBe('APPLY_LOCK_LOST');
  spy.mockRestore();
  expect(await codeOf(lock.verify())).toBe('APPLY_LOCK_LOST');
});

test('a lock that is old, and not too old, is confirmed before it is relied on', async () => {
  const lock = await locked(await newDatabase(), { heartbeatMs: 60_000, validMs: 1_000 });
  await sleep(600);
  await lock.verify();
  await sleep(600);
  expect(lock.lost()).toBe(null);
});

test('the server ends the session of a client that is gone, within 40 seconds', async () => {
  const { session } = await locked(await newDatabase());
  const [settings] = await session.query<Record<string, string>>(
    `select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
       current_setting('tcp_keepalives_count') as count, current_setting('tcp_user_timeout') as timeout,
       current_setting('idle_session_timeout') as longest, current_setting('synchronous_commit') as durable`,
  );
  expect(settings).toEqual({ idle: '10', interval: '5', count: '6', timeout: '40000', longest: '0', durable: 'on' });
});

test.each([
  { size: 1, order: 'last' },
  { size: 4, order: 'last' },
  { size: 4, order: 'next' },
] as const)('STATE_POOLED: a pooler by transaction with $size sessions, $order', async (options) => {
  const url = await newDatabase();
  const pooled = await startPooler(url, options);
  expect(await codeOf(takeSessionLock(pooled, key, ''))).toBe('STATE_POOLED');
  // And it leaves no lock behind that others wait for.
  await locked(url);
});
