// The first seeds of npm run chaos.
import { expect, test } from 'vitest';
import { counts } from './counts.ts';
import { runHarness } from './run-harness.ts';

test(`${counts.seeds} seeds break no invariant`, { timeout: 600_000 }, async () => {
  const { code, said } = await runHarness('chaos', '--seeds', String(counts.seeds));
  expect(said.split('\n').filter((line) => line.startsWith('seed '))).toEqual([]);
  expect({ code, seeds: /^seeds +(\d+)$/m.exec(said)?.[1] }).toEqual({ code: 0, seeds: String(counts.seeds) });
});
