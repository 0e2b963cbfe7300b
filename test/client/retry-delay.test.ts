import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RetryFacts, retryDelay } from '../../src/client/retry-delay.ts';

const now = Date.UTC(2026, 10, 20, 10, 0, 0);
const seconds = now / 1000;
const at = (offsetSeconds: number) => new Date(now + offsetSeconds * 1000).toUTCString();
const facts = (more: Partial<RetryFacts>): RetryFacts => ({ tries: 1, status: 429, now, maxWaitMs: 120_000, random: 0, ...more });
const hour = 3600;
const day = 24 * hour;

/** The first backoff without luck: half of 500 ms. */
const backoff = { ms: 250 };

describe('the reset of the rate limit, against the Date header of the same answer', () => {
  test.each<[string, Partial<RetryFacts>, unknown]>([
    ['7 s ahead', { rateLimitReset: `${seconds + 7}`, date: at(0) }, { ms: 7250 }],
    ['server an hour ahead of us', { rateLimitReset: `${seconds + hour + 7}`, date: at(hour) }, { ms: 7250 }],
    ['server an hour behind us', { rateLimitReset: `${seconds - hour + 7}`, date: at(-hour) }, { ms: 7250 }],
    ['server a day ahead of us', { rateLimitReset: `${seconds + day + 7}`, date: at(day) }, { ms: 7250 }],
    ['server a day behind us', { rateLimitReset: `${seconds - day + 7}`, date: at(-day) }, { ms: 7250 }],
    ['as long as the bound', { rateLimitReset: `${seconds + 120}`, date: at(0) }, { ms: 120_000 }],
    ['longer than the bound', { rateLimitReset: `${seconds + 121}`, date: at(0) }, { until: now + 121_000 }],
    [
      'longer than the bound, on the clock of the server',
      { rateLimitReset: `${seconds + hour + 200}`, date: at(hour) },
      { until: now + hour * 1000 + 200_000 },
    ],
    ['a day ahead', { rateLimitReset: `${seconds + day}`, date: at(0) }, { until: now + day * 1000 }],
    ['more than a day ahead', { rateLimitReset: `${seconds + day + 1}`, date: at(0) }, backoff],
    ['now', { rateLimitReset: `${seconds}`, date: at(0) }, backoff],
    ['in the past', { rateLimitReset: `${seconds - 5}`, date: at(0) }, backoff],
    ['zero', { rateLimitReset: '0', date: at(0) }, backoff],
    ['missing', { date: at(0) }, backoff],
    ['no number', { rateLimitReset: 'NaN', date: at(0) }, backoff],
    ['negative', { rateLimitReset: '-1', date: at(0) }, backoff],
    ['a fraction', { rateLimitReset: `${seconds + 7}.5`, date: at(0) }, backoff],
    ['huge', { rateLimitReset: '1000000000000000000', date: at(0) }, backoff],
    ['empty', { rateLimitReset: '', date: at(0) }, backoff],
    ['of another status than 429', { status: 503, rateLimitReset: `${seconds + 7}`, date: at(0) }, backoff],
  ])('%s', (_name, more, expected) => expect(retryDelay(facts(more))).toEqual(expected));
});

describe('the reset of the rate limit, without a usable Date header', () => {
  test.each<[string, Partial<RetryFacts>, unknown]>([
    ['7 s ahead of the local clock', { rateLimitReset: `${seconds + 7}` }, { ms: 7250 }],
    ['a date that is no date', { rateLimitReset: `${seconds + 7}`, date: '1' }, { ms: 7250 }],
    ['a date of the right form that does not exist', { rateLimitReset: `${seconds + 7}`, date: 'Xxx, 99 Yyy 2026 99:00:00 GMT' }, { ms: 7250 }],
    ['longer than the bound', { rateLimitReset: `${seconds + 600}` }, { until: now + 600_000 }],
    ['more than an hour ahead', { rateLimitReset: `${seconds + hour + 1}` }, backoff],
    ['an hour in the past', { rateLimitReset: `${seconds - hour}` }, backoff],
  ])('%s', (_name, more, expected) => expect(retryDelay(facts(more))).toEqual(expected));
});

describe('Retry-After', () => {
  test.each<[string, Partial<RetryFacts>, unknown]>([
    ['seconds', { retryAfter: '3' }, { ms: 3250 }],
    ['seconds, with a reset that is not plausible', { retryAfter: '3', rateLimitReset: '0', date: at(0) }, { ms: 3250 }],
    ['gives way to a plausible reset', { retryAfter: '3', rateLimitReset: `${seconds + 7}`, date: at(0) }, { ms: 7250 }],
    ['of a 503', { status: 503, retryAfter: '3' }, { ms: 3250 }],
    ['of a 502', { status: 502, retryAfter: '3' }, backoff],
    ['longer than the bound', { retryAfter: '300', date: at(hour) }, { until: now + hour * 1000 + 300_000 }],
    ['longer than the bound, without a date', { retryAfter: '300' }, { until: now + 300_000 }],
    ['zero', { retryAfter: '0' }, backoff],
    ['a date', { retryAfter: at(5) }, backoff],
    ['a fraction', { retryAfter: '1.5' }, backoff],
    ['more than a day', { retryAfter: '90000' }, backoff],
  ])('%s', (_name, more, expected) => expect(retryDelay(facts(more))).toEqual(expected));
});

describe('backoff', () => {
  test.each<[number, number, number]>([
    [1, 0, 250],
    [1, 1, 500],
    [2, 0, 500],
    [3, 0.5, 1500],
    [4, 1, 4000],
    [50, 1, 20_000],
  ])('after %i tries with luck %f: %i ms', (tries, random, ms) => expect(retryDelay(facts({ status: null, tries, random }))).toEqual({ ms }));

  test('is bounded by the longest wait', () => expect(retryDelay(facts({ status: null, tries: 9, random: 1, maxWaitMs: 700 }))).toEqual({ ms: 700 }));
});

test('no header makes a hot loop or an endless wait', () => {
  const header = fc.oneof(
    fc.constant(undefined),
    fc.string({ maxLength: 30 }),
    fc.integer().map(String),
    fc.bigInt().map(String),
    fc.double().map(String),
    fc.integer({ min: seconds - 200, max: seconds + 200 }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  const status = fc.constantFrom(null, 429, 502, 503, 504);
  fc.assert(
    fc.property(
      header,
      header,
      header,
      status,
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (reset, after, date, code, tries, random) => {
        const delay = retryDelay({ tries, status: code, rateLimitReset: reset, retryAfter: after, date, now, maxWaitMs: 120_000, random });
        if ('until' in delay) return Number.isFinite(new Date(delay.until).getTime());
        return Number.isInteger(delay.ms) && delay.ms >= 100 && delay.ms <= 120_000;
      },
    ),
    { numRuns: 10_000 },
  );
});
