import { expect, test } from 'vitest';
import { startTotals, violationLines } from './totals.ts';

test('the table counts, and a broken seed says how to see it again', () => {
  const totals = startTotals();
  const violations = [1, 2, 3, 4, 5, 6].map((run) => ({ invariant: 'I2' as const, message: `run ${run}: lost` }));
  const broken = { seed: 8, violations, runs: 2, requests: 30, counts: [['fault reset', 2]] as const };
  totals.add({
    seed: 7,
    violations: [],
    runs: 1,
    requests: 12,
    counts: [
      ['fault reset', 1],
      ['apply answered 0', 1],
    ] as const,
  });
  totals.add(broken);
  expect(totals.violations()).toBe(6);
  expect(totals.table(1.6).replaceAll(/ +/g, ' ').split('\n')).toEqual([
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
      'C1 0',
      'F1 0',
      'F2 0',
      'V1 0',
      'G1 0',
      'G2 0',
      'N1 0',
      'U1 0',
      'P1 0',
      'S1 0',
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
