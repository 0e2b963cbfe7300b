// The first kill points of npm run chaos:kill: the built command, killed in mid-apply, and one more run.
import { expect, test } from 'vitest';
import { counts } from './counts.ts';
import { runHarness } from './run-harness.ts';

test(`after each of ${counts.killPoints} kills one run reaches the goal`, { timeout: 300_000 }, async () => {
  const { code, said } = await runHarness('kill', '--points', String(counts.killPoints));
  expect(said.split('\n').filter((line) => line.startsWith('seed '))).toEqual([]);
  expect({ code, ended: said.includes(`\n${counts.killPoints} points, 0 violations`) }).toEqual({
    code: 0,
    ended: true,
  });
});
