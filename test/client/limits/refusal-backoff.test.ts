import { expect, test } from 'vitest';
import { refusalBackoff } from '../../../src/client/limits/unnamed-limit.ts';

test('the wait doubles with each refusal in a row', () => {
  const waits = (hasReset: boolean) => {
    const backoff = refusalBackoff({ backoff: true, distrustReset: true });
    return Array.from({ length: 8 }, (_none, index) =>
      backoff.add({ at: index * 1000 + 100, sentAt: index * 1000 + 100, hasReset, random: 0 }),
    );
  };
  expect(waits(false)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits(true)).toEqual([100, 100, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});
