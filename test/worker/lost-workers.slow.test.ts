// Workers that are killed, stopped and cut off from the database: no tenant is checked by two at once, and none is forgotten.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { asAdmin } from '../support/postgres.ts';
import { quick, type SeenRequest, until, workerScene } from '../support/worker-scene.ts';

/** Who asked a tenant, in turns: `AB` if B took over from A, `ABA` if both were at it. */
function turnsOf(seen: readonly SeenRequest[], tenant: string): string {
  const workers = seen.filter((one) => one.tenant === tenant).map(({ worker }) => worker);
  return workers.filter((worker, index) => worker !== workers[index - 1]).join('');
}

const firstOf = (seen: readonly SeenRequest[], worker: string) => seen.find((one) => one.worker === worker)?.at ?? 0;

test('two workers share the tenants, and check each once', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const { start, seen, checks } = await workerScene(names, { pages: 2, latencyMs: 20 });
  const [a, b] = [start('A', ['--once', '--parallel', '2']), start('B', ['--once', '--parallel', '2'])];
  expect([await a.exited, await b.exited]).toEqual([0, 0]);
  // A worker that starts when the other one has ended checks all of them again.
  for (const name of names) expect(turnsOf(seen, name)).toMatch(/^(A|B|AB|BA)$/);
  expect((await checks()).map(({ exit_code: code }) => code)).toEqual(names.map(() => 0));
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
  expect(firstOf(seen, 'B') - killed).toBeGreaterThanOrEqual(quick.graceMs);
  expect(turnsOf(seen, 'one')).toBe('AB');
  expect(await checks()).toMatchObject([{ exit_code: 0 }]);
});

test('a worker that a signal ends gives its job back, and no try of it is lost', async () => {
  const { start, seen, firstRequestOf, checks, url } = await workerScene(['one'], { latencyMs: 200 });
  for (const name of ['A', 'B', 'C']) {
    const worker = start(name, []);
    await firstRequestOf(name);
    worker.child.kill('SIGTERM');
    expect(await worker.exited, worker.stderr()).toBe(0);
    expect(await asAdmin(url, 'select attempts, locked_by from tenant_sync_queue._private_jobs')).toEqual([
      { attempts: 0, locked_by: null },
    ]);
  }
  const last = start('D', ['--once']);
  expect(await last.exited, last.stderr()).toBe(0);
  expect(turnsOf(seen, 'one')).toBe('ABCD');
  expect(await checks()).toMatchObject([{ exit_code: 0 }]);
});

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
  expect(a.stderr()).toContain('no longer has its lock');
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
  expect(await a.exited, a.stderr()).toBe(0);
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
