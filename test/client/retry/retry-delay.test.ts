import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RetryFacts, retryDelay } from '../../../src/client/retry/retry-policy.ts';
import { networkFailure } from '../../../src/client/transport/exchange.ts';
import { propertyRuns } from '../../support/thorough.ts';

const now = Date.UTC(2026, 10, 20, 10, 0, 0);
const hour = 3_600_000;
/** A response with headers in seconds, or none. */
interface Case extends Partial<RetryFacts> {
  readonly status?: number | null;
  readonly retryAfter?: number | null;
  /** Milliseconds since the epoch. */
  readonly date?: number | null;
}

const delayOf = ({ status = 503, retryAfter = null, date = null, ...more }: Case) => {
  const headers = {
    ...(retryAfter !== null && { 'retry-after': String(retryAfter) }),
    ...(date !== null && { date: new Date(date).toUTCString() }),
  };
  const last =
    status === null
      ? { responded: false as const, failure: networkFailure(new Error('reset'), true) }
      : { responded: true as const, response: { status, headers, body: { bytes: Buffer.of(), error: null } } };
  return retryDelay(last, { tries: 1, now, maxWaitMs: 120_000, random: 0, ...more });
};

/** The first backoff without luck: half of 500 ms. */
const backoff = { ms: 250 };

describe('Retry-After', () => {
  test.each<[string, Case, unknown]>([
    ['of a 503', { retryAfter: 3 }, { ms: 3250 }],
    ['as long as the bound', { retryAfter: 120 }, { ms: 120_000 }],
    ['of a 502', { status: 502, retryAfter: 3 }, backoff],
    [
      'longer than the bound, by the clock of the service',
      { retryAfter: 300, date: now + hour },
      { until: now + hour + 300_000 },
    ],
    ['longer than the bound, without a date', { retryAfter: 300 }, { until: now + 300_000 }],
    ['zero', { retryAfter: 0 }, backoff],
    ['none', {}, backoff],
    ['more than a day', { retryAfter: 90_000 }, backoff],
    ['of a 429, for which the rate limiter waits', { status: 429, retryAfter: 3 }, { ms: 0 }],
  ])('%s', (_name, more, expected) => expect(delayOf(more)).toEqual(expected));
});

describe('backoff', () => {
  test.each<[number, number, number]>([
    [1, 0, 250],
    [1, 1, 500],
    [2, 0, 500],
    [3, 0.5, 1500],
    [4, 1, 4000],
    [50, 1, 20_000],
  ])('after %i tries with luck %f: %i ms', (tries, random, ms) =>
    expect(delayOf({ status: null, tries, random })).toEqual({ ms }),
  );

  test('is bounded by the longest wait', () =>
    expect(delayOf({ status: null, tries: 9, random: 1, maxWaitMs: 700 })).toEqual({ ms: 700 }));
});

test('no header makes a hot loop or an endless wait', () => {
  const seconds = fc.option(fc.oneof(fc.nat(), fc.maxSafeNat()));
  const status = fc.constantFrom(null, 502, 503, 504);
  const luck = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      seconds,
      fc.option(fc.nat()),
      status,
      fc.integer({ min: 1, max: 100 }),
      luck,
      (retryAfter, date, code, tries, random) => {
        const delay = delayOf({ tries, status: code, retryAfter, date, random });
        if ('until' in delay) return Number.isFinite(new Date(delay.until).getTime());
        return Number.isInteger(delay.ms) && delay.ms >= 100 && delay.ms <= 120_000;
      },
    ),
    propertyRuns(100),
  );
});
