import { expect, test } from 'vitest';
import { openRefusals } from '../../../src/client/limits/refusals.ts';

test('the wait doubles with each refusal in a row', () => {
  const waits = (hasReset: boolean) => {
    const refusals = openRefusals();
    return Array.from({ length: 8 }, (_none, index) => {
      const at = index * 1000 + 100;
      refusals.add({ at, sentAt: at, hasReset, random: 0 });
      return refusals.wait(at, 0);
    });
  };
  expect(waits(false)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits(true)).toEqual([100, 100, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('after a refusal one request is sent alone', () => {
  const refusals = openRefusals();
  refusals.add({ at: 100, sentAt: 0, hasReset: false, random: 0 });
  expect([refusals.wait(100, 0), refusals.wait(1100, 0), refusals.wait(1100, 1)]).toEqual([
    1000,
    0,
    Number.POSITIVE_INFINITY,
  ]);
  refusals.grant();
  expect([refusals.wait(1200, 1), refusals.since()]).toEqual([0, null]);
});
