import { describe, expect, test } from 'vitest';
import { bucketEvidence } from '../../../src/client/limits/advertised-limit.ts';
import type { Sighting } from '../../../src/client/limits/limit.ts';
import { serverClock } from '../../../src/client/limits/server-clock.ts';

const moment = Date.UTC(2026, 10, 20, 10, 0, 0);

describe('what only a bucket does', () => {
  const clock = serverClock(moment);
  const sight = (ordinal: number, at: number, remaining: number, reset: number | null): Sighting => ({
    ordinal,
    sentAt: at - 100,
    at,
    remaining,
    resetAt: reset === null ? null : moment + reset,
    date: moment + Math.floor(at / 1000) * 1000,
  });
  test.each<[string, Sighting, Sighting, string | null]>([
    ['the reset moves before it is reached', sight(1, 100, 9, 1000), sight(5, 400, 5, 3000), 'moved'],
    ['more is left without a reset', sight(10, 100, 0, 5000), sight(11, 1500, 1, 5000), 'rose'],
    ['as much is left without a reset', sight(10, 100, 0, 5000), sight(11, 1500, 0, 5000), 'rose'],
    ['as much is left, as in a repeated response', sight(10, 100, 3, 5000), sight(11, 1500, 3, 5000), null],
    ['more is left, and no reset is plausible', sight(10, 100, 0, null), sight(11, 1500, 2, null), 'rose'],
    ['a window goes on', sight(1, 100, 9, 5000), sight(2, 400, 8, 5000), null],
    ['a window has refilled', sight(10, 100, 0, 1000), sight(11, 1500, 9, 2000), null],
    ['responses out of order', sight(2, 500, 8, 5000), { ...sight(1, 550, 9, 5000), sentAt: 300 }, null],
  ])('%s', (_name, before, after, kind) => {
    expect(bucketEvidence([before], after, 10, clock)?.kind ?? null).toBe(kind);
  });
});
