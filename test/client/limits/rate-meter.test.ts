import { expect, test } from 'vitest';
import { rateMeter } from '../../../src/client/limits/token-bucket.ts';

test('the rate of a bucket is measured between two responses', () => {
  const meter = rateMeter();
  expect(meter.measure({ at: 10_000, remaining: 3, granted: 0 })).toBeNull();
  expect(meter.measure({ at: 14_000, remaining: 5, granted: 30 })).toEqual({ rate: 0.008, spanMs: 4000 });
  expect(meter.measure({ at: 13_000, remaining: 5, granted: 29 })).toBeNull();
  meter.restart();
  expect(meter.measure({ at: 15_000, remaining: 5, granted: 30 })).toBeNull();
});
