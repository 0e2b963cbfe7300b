// Workers that share tenants, are told to end, or lose their connections: no tenant is checked by two at once, and none is forgotten.
import { expect, test } from 'vitest';
import { asAdmin } from '../support/postgres.ts';
import { turnsOf, workerScene } from '../support/worker-scene.ts';

test('two workers share the tenants, and check each once', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const { start, seen, checks } = await workerScene(names, { pages: 2, latencyMs: 20 });
  const [a, b] = [start('A', ['--once', '--parallel', '2']), start('B', ['--once', '--parallel', '2'])];
  expect([await a.exited, await b.exited]).toEqual([0, 0]);
  // A worker that starts when the other one has ended checks all of them again.
  for (const name of names) expect(turnsOf(seen, name)).toMatch(/^(A|B|AB|BA)$/);
  expect((await checks()).map(({ exit_code: code }) => code)).toEqual(names.map(() => 0));
});

test('a worker that a signal ends gives its job back, and no try of it is lost', async () => {
  const names = ['one', 'two', 'three', 'four'];
  const { start, seen, firstRequestOf, checks, url } = await workerScene(names, { latencyMs: 200 });
  for (const [name, argv, code] of [
    ['A', [], 0],
    ['B', [], 0],
    ['C', ['--once'], 143],
  ] as const) {
    // Two at once, so that another could begin what one gives back.
    const worker = start(name, [...argv, '--parallel', '2']);
    await firstRequestOf(name);
    worker.child.kill('SIGTERM');
    expect(await worker.exited, worker.stderr()).toBe(code);
    const jobs = await asAdmin(url, 'select attempts, locked_by from tenant_sync_queue._private_jobs');
    expect(jobs, worker.stderr()).toEqual(names.map(() => ({ attempts: 0, locked_by: null })));
  }
  const last = start('D', ['--once']);
  expect(await last.exited, last.stderr()).toBe(0);
  for (const name of names) expect(turnsOf(seen, name)).toMatch(/^[ABC]*D$/);
  expect(new Set(seen.map(({ worker }) => worker)).size).toBe(4);
  expect((await checks()).map(({ exit_code: code }) => code)).toEqual(names.map(() => 0));
});

test('a worker whose connections are cut while it checks tries again, until all is checked', async () => {
  const { start, firstRequestOf, checks, url } = await workerScene(['one', 'two'], { latencyMs: 200 });
  const worker = start('A', ['--once', '--parallel', '2']);
  await firstRequestOf('A');
  await asAdmin(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tenant-sync' and datname = current_database()`,
  );
  expect(await worker.exited, worker.stderr()).toBe(0);
  expect(worker.stderr()).toContain('The worker tries again every 2 s.');
  expect(worker.stderr()).not.toMatch(/^ +at /m);
  expect((await checks()).map(({ exit_code: code }) => code)).toEqual([0, 0]);
});
