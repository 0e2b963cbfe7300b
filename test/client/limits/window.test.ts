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

  /** A window of which nothing is left until a second from now, after `used` requests. */
  function setUp(inFlight = 0) {
    const counts: Counts = { sent: limit, inFlight, reserved: 0, refused: 0, blind: false, lastRefused: null };
    const window = openWindow(limit, 0, serverClock(moment), counts);
    const last = { at: 0, date: null, remaining: 0, resetAt: moment + 1000 };
    window.observe(last);
    window.advance(1100);
    const send = () => {
      counts.sent += 1;
      counts.inFlight += 1;
    };
    const respond = (remaining: number) => {
      counts.inFlight -= 1;
      const shown = { at: 1200, date: null, remaining, resetAt: moment + 2000 };
      const isEmpty = window.opensEmpty(shown, last);
      window.observe(shown);
      return isEmpty;
    };
    return { window, counts, send, respond, wait: () => window.wait(1100, true, last) };
  }

  test('is entered by one request, and the others wait for its response', () => {
    const { send, respond, wait } = setUp();
    expect(wait()).toBe(0);
    send();
    expect(wait()).toBe(Number.POSITIVE_INFINITY);
    expect([respond(9), wait()]).toEqual([false, 0]);
    send();
    expect(wait()).toBe(0);
  });

  test('does not wait for what is reserved, which may wait for a reading', () => {
    const { counts, wait } = setUp();
    counts.reserved = 1;
    expect(wait()).toBe(0);
  });

  test.each([
    [3, true],
    [4, false],
  ])('is no window if %i of 10 are left after its first request: %s', (remaining, isEmpty) => {
    const { send, respond } = setUp();
    send();
    expect(respond(remaining)).toBe(isEmpty);
  });

  test('shows nothing if requests were in flight when it opened, or if responses have no headers', () => {
    const { counts, send, respond, wait } = setUp(3);
    expect(counts.inFlight).toBe(3);
    send();
    expect([wait(), respond(0)]).toEqual([0, false]);
    const other = setUp();
    other.send();
    other.window.enter();
    expect(other.wait()).toBe(0);
  });
});
