// The built command with its state in a database: stopped and continued, and without a network.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { interrupted } from '../support/interrupted-apply.ts';
import { newDatabase } from '../support/postgres.ts';

test('a process that was stopped for longer than its lock is valid sends nothing when it continues', async () => {
  const { first, sent, disturbedAt, before } = await interrupted(await newDatabase(), async (child) => {
    child.kill('SIGSTOP');
    await sleep(16_000);
    child.kill('SIGCONT');
  });
  expect({ code: first.code, isPart: before < 40 }).toEqual({ code: 1, isPart: true });
  expect(first.stderr).toMatch(/APPLY_LOCK_LOST|DATABASE_UNREACHABLE/);
  expect(sent.filter((at) => at >= disturbedAt)).toEqual([]);
});

test('the network swallows everything: nothing more is sent, and the run ends within seconds', async () => {
  const url = await newDatabase();
  const proxy = await startDatabaseProxy(url);
  const started = Date.now();
  const { first, before } = await interrupted(proxy.url, async () => proxy.swallow());
  expect({ code: first.code, isPart: before < 40 }).toEqual({ code: 1, isPart: true });
  expect(Date.now() - started).toBeLessThan(30_000);
});
