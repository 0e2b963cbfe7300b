// A limit that refills completely at its reset.
import { expect, test } from 'vitest';
import type { Counts } from '../../../src/client/limits/limit.ts';
import { serverClock } from '../../../src/client/limits/server-clock.ts';
import { openWindow } from '../../../src/client/limits/window.ts';

const moment = Date.parse('2026-11-20T10:00:00Z');
const day = 86_400_000;

test.each([
  ['behind', -2.5 * day],
  ['ahead', 2.5 * day],
])('a response of a proxy whose clock is %s moves the opening by a second at most', (_name, offBy) => {
  const clock = serverClock(moment);
  const counts: Counts = { sent: 1, inFlight: 0, reserved: 0, refused: 0, blind: false, lastRefused: null };
  const window = openWindow(1, 0, clock, counts);
  clock.observe(moment, 0, 10);
  window.observe({ at: 10, date: moment, remaining: 0, resetAt: moment + 5000 });
  const before = window.wait(10, false, null);
  expect(before).toBeGreaterThan(4000);
  clock.observe(moment + offBy, 20, 30);
  window.advance(30);
  const after = window.wait(30, false, null);
  expect([after > before - 1100, after < before + 1000]).toEqual([true, true]);
});
