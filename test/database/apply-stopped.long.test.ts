// The built command with its state in a database: stopped, and continued.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
