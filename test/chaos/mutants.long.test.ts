// What the checks are worth: without one of the mechanisms that they are about, a seed breaks a rule.
import { expect, test } from 'vitest';
import { counts } from './counts.ts';
import { runHarness } from './run-harness.ts';

test.each([
  ['second-pass', /: (I3|L1|C1): /],
  ['own-changes', /: (C1|G2): /],
  ['counts-of-passes', /: G2: /],
  ['proof-time', /: G2: /],
  ['freshness', /: (F1|G2|N1): /],
  ['replaced', /: (G1|G2|N1|U1|P1|S1|I2): /],
  ['verification', /: (I5|V1): /],
])('without the %s, the checks find a violation', { timeout: 300_000 }, async (mechanism, rule) => {
  const { code, said } = await runHarness(
    ...['chaos', '--without', mechanism, '--seeds', String(counts.seedsOfMutants), '--until-violation'],
  );
  expect(
    said
      .split('\n')
      .filter((line) => line.startsWith('seed '))
      .join('\n'),
  ).toMatch(rule);
  expect(code).toBe(1);
});
