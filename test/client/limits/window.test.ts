// A limit that refills completely at its reset.
import { describe, expect, test } from 'vitest';
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

describe('the first window that opens', () => {
  const limit = 10;

  /** A window of which `left` were left until a second from now; then `inFlight` are still without a response. */
  function setUp({ left = 0, inFlight = 0, blind = false } = {}) {
    const counts: Counts = { sent: limit - left, inFlight, reserved: 0, refused: 0, blind, lastRefused: null };
    const window = openWindow(limit, 0, serverClock(moment), counts);
    window.observe({ at: 0, date: null, remaining: left, resetAt: moment + 1000 });
    window.advance(1100);
    const send = () => {
      counts.sent += 1;
      counts.inFlight += 1;
    };
    const respond = (remaining: number) => {
      counts.inFlight -= 1;
      const shown = { at: 1200, date: null, remaining, resetAt: moment + 2000 };
      const isNone = window.isNone(shown);
      window.observe(shown);
      return isNone;
    };
    return { window, counts, send, respond, wait: () => window.wait(1100, true, null) };
  }

  test('is entered by one request, also where its length is known: else nothing would ever be sent', () => {
    const counts: Counts = { sent: 1, inFlight: 0, reserved: 0, refused: 2, blind: false, lastRefused: null };
    const window = openWindow(limit, 0, serverClock(moment), counts);
    const refusals = [1000, 3000].map((ms) => ({ at: 0, date: null, remaining: 0, resetAt: moment + ms }));
    window.observe(refusals[0] as never);
    window.refused(refusals[1] as never, refusals[0] as never);
    for (const now of [3100, 5200, 60_000]) {
      window.advance(now);
      expect(window.wait(now, true, null)).toBe(0);
    }
  });

  test('has what the one before had left, until a response shows more', () => {
    const { send, respond, wait } = setUp();
    expect(wait()).toBe(0);
    send();
    expect(wait()).toBe(Number.POSITIVE_INFINITY);
    expect([respond(9), wait()]).toEqual([false, 0]);
    send();
    expect(wait()).toBe(0);
    const some = setUp({ left: 2 });
    some.send();
    expect(some.wait()).toBe(0);
    some.send();
    expect(some.wait()).toBe(Number.POSITIVE_INFINITY);
  });

  test('does not wait for what is reserved, which may wait for a reading', () => {
    const { counts, wait } = setUp();
    counts.reserved = 1;
    expect(wait()).toBe(0);
  });

  test.each([
    [6, 0, true],
    [7, 0, false],
    [3, 4, false],
  ])(
    'is none if %i of 10 are left after its first request, with %i in flight when it opened: %s',
    (left, others, isNone) => {
      const { send, respond } = setUp({ inFlight: others });
      send();
      expect(respond(left)).toBe(isNone);
    },
  );

  test('is full where responses have no headers', () => {
    const { send, wait } = setUp({ blind: true });
    send();
    expect(wait()).toBe(0);
  });

  test('that is full makes the next ones full', () => {
    const { window, counts, send, respond, wait } = setUp();
    send();
    respond(9);
    window.observe({ at: 1300, date: null, remaining: 0, resetAt: moment + 2000 });
    window.advance(2100);
    send();
    expect([wait(), counts.inFlight]).toEqual([0, 1]);
  });
});
