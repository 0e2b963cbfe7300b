// Workers that are killed, stopped and cut off from the database: no tenant is checked by two at once, and none is forgotten.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { asAdmin } from '../support/postgres.ts';
import { quick, turnsOf, until, workerScene } from '../support/worker-scene.ts';

test('a worker that is stopped and continued sends nothing and writes nothing that another has done', async () => {
  const { start, seen, firstRequestOf, checks } = await workerScene(['one'], { latencyMs: 300 });
  const a = start('A', ['--once']);
  await firstRequestOf('A');
  a.child.kill('SIGSTOP');
  const b = start('B', ['--once']);
  expect(await b.exited, b.stderr()).toBe(0);
  const [before] = await checks();
  const count = seen.length;
  a.child.kill('SIGCONT');
  expect(await a.exited, a.stderr()).toBe(0);
  // By its clock, or because the server has ended the session: whichever it notices first.
  expect(a.stderr()).toContain('The worker tries again every 2 s.');
  expect(seen.length).toBe(count);
  expect(turnsOf(seen, 'one')).toBe('AB');
  expect(await checks()).toEqual([before]);
});

test('a worker that is stopped for a moment only sends nothing before it has confirmed its lock', async () => {
  const { start, seen, firstRequestOf, checks } = await workerScene(['one'], { latencyMs: 200 });
  const a = start('A', ['--once']);
  await firstRequestOf('A');
  a.child.kill('SIGSTOP');
  await sleep(quick.validMs + 300);
  const count = seen.length;
  a.child.kill('SIGCONT');
  const continued = Date.now();
  expect(await a.exited, a.stderr()).toBe(0);
  // The response was there, and the next page was not asked for: the job began again, from its start.
  expect(a.stderr()).toContain('no longer has its lock');
  expect((seen[count]?.at ?? 0) - continued).toBeGreaterThan(1_000);
  expect(await checks()).toMatchObject([{ exit_code: 0 }]);
});

test('a worker without a network to the database stops in time, and another takes its tenant', async () => {
  const { url, start, seen, firstRequestOf, checks } = await workerScene(['one'], { pages: 30, latencyMs: 100 });
  const proxy = await startDatabaseProxy(url);
  const a = start('A', ['--once'], proxy.url);
  await firstRequestOf('A');
  const swallowed = Date.now();
  proxy.swallow();
  const b = start('B', ['--once']);
  expect(await b.exited, b.stderr()).toBe(0);
  const lastOfA = seen.findLast(({ worker }) => worker === 'A')?.at ?? 0;
  expect(lastOfA - swallowed).toBeLessThanOrEqual(quick.validMs + 50);
  expect(turnsOf(seen, 'one')).toBe('AB');
  expect(await checks()).toMatchObject([{ exit_code: 0 }]);
  a.child.kill('SIGTERM');
  expect(await a.exited, a.stderr()).toBe(143);
});

test('a session that the server ends: the worker stops at once, and goes on with a new one', async () => {
  const { url, start, seen, firstRequestOf, checks } = await workerScene(['one'], { pages: 10, latencyMs: 100 });
  const a = start('A', []);
  await firstRequestOf('A');
  await asAdmin(
    url,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'`,
  );
  const ended = Date.now();
  await until(async () => (await checks()).length === 1);
  const pause = Math.max(...seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0)));
  expect(pause).toBeGreaterThan(1_500);
  expect(seen.filter(({ at }) => at > ended + 100 && at < ended + 1_500)).toEqual([]);
  a.child.kill('SIGTERM');
  expect(await a.exited, a.stderr()).toBe(0);
});

test('a worker that is killed: its tenant is checked by another, after the time of grace', async () => {
  const { start, seen, firstRequestOf, checks } = await workerScene(['one']);
  const a = start('A', ['--once']);
  await firstRequestOf('A');
  a.child.kill('SIGKILL');
  await a.exited;
  const killed = Date.now();
  const b = start('B', ['--once']);
  expect(await b.exited, b.stderr()).toBe(0);
  expect(b.stderr()).toMatch(/Released the jobs of the worker pool-\w+, which is gone/);
  expect((seen.find(({ worker }) => worker === 'B')?.at ?? 0) - killed).toBeGreaterThanOrEqual(quick.graceMs);
  expect(turnsOf(seen, 'one')).toBe('AB');
  expect(await checks()).toMatchObject([{ exit_code: 0 }]);
});
