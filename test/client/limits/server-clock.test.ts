import { expect, test } from 'vitest';
import { serverClock } from '../../../src/client/limits/server-clock.ts';

const moment = Date.UTC(2026, 10, 20, 10, 0, 0);

test('responses narrow the offset of the service clock, and a clock that was set starts anew', () => {
  const clock = serverClock(moment);
  expect([clock.known(), clock.timeAt(5)]).toEqual([false, moment + 5]);
  clock.observe(moment, 1000, 1100);
  expect([clock.known(), clock.surelyAfter(moment + 5000), clock.surelyBefore(moment + 5000)]).toEqual([
    true,
    6100,
    5000,
  ]);
  clock.observe(moment + 1000, 1300, 1400);
  expect(clock.likelyAt(moment + 5000)).toBe(5200);
  clock.observe(moment + 3_600_000, 1500, 1600);
  expect(clock.surelyAfter(moment + 3_600_000)).toBe(1600);
});
