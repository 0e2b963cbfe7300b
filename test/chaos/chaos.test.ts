// The first seeds of npm run chaos, and that a seed can be replayed.
import { describe, expect, test } from 'vitest';
import { counts } from './counts.ts';
import { playSeed } from './play-seed.ts';
import { runHarness } from './run-harness.ts';
import { startTally, violationLines } from './tally.ts';
import { tellSeed } from './tell-history.ts';

test(`${counts.seeds} seeds break no invariant`, { timeout: 600_000 }, async () => {
  const { code, said } = await runHarness('chaos', '--seeds', String(counts.seeds));
  expect(said.split('\n').filter((line) => line.startsWith('seed '))).toEqual([]);
  expect({ code, seeds: /^seeds +(\d+)$/m.exec(said)?.[1] }).toEqual({ code: 0, seeds: String(counts.seeds) });
});

describe('a seed makes the same history again', () => {
  // Ports, folders, and the digests that the port is in.
  const byChance = /127\.0\.0\.1:\d+|tenant-sync-chaos-\w+|\b[0-9a-f]{12,64}\b/g;

  test.each([7, 16, 19, 24, 30])('seed %i', async (seed) => {
    const once = tellSeed(await playSeed(seed)).replaceAll(byChance, '');
    expect(tellSeed(await playSeed(seed)).replaceAll(byChance, '')).toBe(once);
    expect(once).toMatch(/^--- violations\nnone$/m);
  });
});

test('the table counts, and a broken seed says how to see it again', () => {
  const tally = startTally();
  const violations = [1, 2, 3, 4, 5, 6].map((run) => ({ invariant: 'I2' as const, message: `run ${run}: lost` }));
  const broken = { seed: 8, violations, runs: 2, requests: 30, counts: [['fault reset', 2]] as const };
  tally.add({
    seed: 7,
    violations: [],
    runs: 1,
    requests: 12,
    counts: [
      ['fault reset', 1],
      ['apply answered 0', 1],
    ] as const,
  });
  tally.add(broken);
  expect(tally.violations()).toBe(6);
  expect(tally.table(1.6).replaceAll(/ +/g, ' ').split('\n')).toEqual([
    'seeds 2',
    'requests 42',
    'converged in 1 run 1',
    'converged in 2 runs 1',
    'apply answered 0 1',
    'fault reset 3',
    ...[
      'I1 0',
      'I2 6',
      'I3 0',
      'I4 0',
      'I5 0',
      'I6 0',
      'I7 0',
      'I8 0',
      'I9 0',
      'I10 0',
      'G1 0',
      'J1 0',
      'L1 0',
      'Q1 0',
    ].map((line) => `violations of ${line}`),
    'wall time, s 2',
  ]);
  expect(violationLines(broken)).toEqual([
    ...[1, 2, 3, 4, 5].map((run) => `seed 8: I2: run ${run}: lost`),
    'seed 8: and 1 more',
    'seed 8: replay it with npm run chaos -- --seed 8',
  ]);
});
