import { describe, expect, test } from 'vitest';
import { dripEvidence, type Sighting } from '../../../src/client/quota/drip-evidence.ts';
import { inFlightLimit } from '../../../src/client/quota/in-flight-limit.ts';
import { notSent } from '../../../src/client/quota/not-sent.ts';
import { openQuota } from '../../../src/client/quota/quota.ts';
import { quotaGate } from '../../../src/client/quota/quota-gate.ts';
import { type QuotaHeaders, quotaHeaders } from '../../../src/client/quota/quota-headers.ts';
import { rateMeter } from '../../../src/client/quota/rate-meter.ts';
import { refusals } from '../../../src/client/quota/refusals.ts';
import { retryBudget } from '../../../src/client/quota/retry-budget.ts';
import { serverClock } from '../../../src/client/quota/server-clock.ts';
import { startFakeClock, stoppedClock } from '../../support/fake-clock.ts';

const moment = Date.UTC(2026, 10, 20, 10, 0, 0);

test('headers', () => {
  const none = { limit: null, remaining: null, resetAt: null, retryAfter: null, date: null };
  expect(quotaHeaders({})).toEqual(none);
  expect(
    quotaHeaders({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': ['0', '1'],
      'x-ratelimit-reset': '7',
      'retry-after': '2',
      date: new Date(moment).toUTCString(),
    }),
  ).toEqual({ limit: 10, remaining: 0, resetAt: 7000, retryAfter: 2000, date: moment });
  expect(
    quotaHeaders({
      'x-ratelimit-limit': '0',
      'x-ratelimit-remaining': '-1',
      'retry-after': '1.5',
      date: 'Xxx, 99 Yyy 2026 99:00:00 GMT',
    }),
  ).toEqual(none);
  expect(quotaHeaders({ date: '1' })).toEqual(none);
});

test('the clock of the service becomes exact by many answers, and starts anew when it is set', () => {
  const clock = serverClock(moment);
  expect([clock.known(), clock.momentOf(5)]).toEqual([false, moment + 5]);
  clock.learn(moment, 1000, 1100);
  expect([clock.known(), clock.surelyAfter(moment + 5000), clock.surelyBefore(moment + 5000)]).toEqual([
    true,
    6100,
    5000,
  ]);
  clock.learn(moment + 1000, 1300, 1400);
  expect(clock.likelyAt(moment + 5000)).toEqual({ at: 5200, doubtMs: 400 });
  clock.learn(moment + 3_600_000, 1500, 1600);
  expect(clock.surelyAfter(moment + 3_600_000)).toBe(1600);
});

describe('what only a bucket that drips does', () => {
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
    ['more is left, and no reset is believed', sight(10, 100, 0, null), sight(11, 1500, 2, null), 'rose'],
    ['the reset did not fill it', sight(10, 100, 0, 1000), sight(11, 1500, 1, 2000), 'not filled'],
    ['a window goes on', sight(1, 100, 9, 5000), sight(2, 400, 8, 5000), null],
    ['a window has filled', sight(10, 100, 0, 1000), sight(11, 1500, 9, 2000), null],
    ['answers out of order', sight(2, 500, 8, 5000), { ...sight(1, 550, 9, 5000), sentAt: 300 }, null],
  ])('%s', (_name, before, after, kind) => {
    expect(dripEvidence([before], after, after.ordinal, 10, clock)?.kind ?? null).toBe(kind);
  });
});

test('how many at once: more while the service keeps up, fewer when it does not', () => {
  const limit = inFlightLimit(16);
  const answer = (ms: number, at: number, well = true, operation = 'read') =>
    limit.learn({ operation, well, ms, inFlight: limit.most(), at });
  expect(limit.most()).toBe(4);
  for (let at = 1; at <= 20; at += 1) answer(100, at * 10);
  expect(limit.most()).toBe(16);
  answer(2000, 3000);
  expect(limit.most()).toBe(10);
  answer(2500, 3100);
  expect(limit.most()).toBe(10);
  answer(50, 3200, false);
  expect(limit.most()).toBe(7);
  // What always takes long is not slow.
  for (let at = 1; at <= 40; at += 1) answer(3000, 4000 + at * 10, true, 'write');
  expect(limit.most()).toBe(16);
  expect(inFlightLimit(1).most()).toBe(1);
});

test('the rate of a bucket', () => {
  const meter = rateMeter();
  expect(meter.read({ at: 10_000, remaining: 3, taken: 0 })).toBeNull();
  expect(meter.read({ at: 14_000, remaining: 5, taken: 30 })).toEqual({ rate: 0.008, spanMs: 4000 });
  expect(meter.read({ at: 13_000, remaining: 5, taken: 29 })).toBeNull();
  meter.restart();
  expect(meter.read({ at: 15_000, remaining: 5, taken: 30 })).toBeNull();
});

test('refusals in a row keep away longer and longer', () => {
  const row = (word: boolean) => {
    const refusal = refusals();
    return Array.from({ length: 8 }, (_none, index) =>
      refusal.add({ at: index * 1000 + 100, sentAt: index * 1000 + 101 - 1, word, random: 0 }),
    );
  };
  expect(row(false)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(row(true)).toEqual([100, 100, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('the budget of a run: a hundred retries, fifty after a timeout, more for successes', () => {
  const count = (timedOut: boolean, successes: number) => {
    const budget = retryBudget();
    let taken = 0;
    while (budget.take(timedOut)) taken += 1;
    for (let index = 0; index < successes; index += 1) budget.succeed();
    while (budget.take(timedOut)) taken += 1;
    return taken;
  };
  expect([count(false, 0), count(true, 0), count(false, 14), count(false, 9999)]).toEqual([100, 50, 102, 200]);
});

describe('groups of endpoints', () => {
  const headers = (limit: number, remaining: number): QuotaHeaders => ({
    limit,
    remaining,
    resetAt: moment + 60_000,
    retryAfter: null,
    date: moment,
  });
  const quotaWith = (steps: readonly (readonly [string, number, number])[]) => {
    const quota = openQuota({ share: 1, mostInFlight: 16, wallOffset: moment, maxWaitMs: 120_000 });
    for (const [index, [group, limit, remaining]] of steps.entries()) {
      quota.learn(quota.leave(group, index), {
        status: 200,
        headers: headers(limit, remaining),
        at: index + 0.5,
        random: 0,
      });
    }
    return quota;
  };

  test('a limit of a group holds up only the group', () => {
    const quota = quotaWith([
      ['', 50, 40],
      ['partials-read', 5, 0],
    ]);
    expect([quota.ask('', 2).ms, quota.ask('partials-write', 2).ms, quota.ask('partials-read', 2).ms > 0]).toEqual([
      0,
      0,
      true,
    ]);
    expect(quota.seen()).toEqual([
      { group: '', limit: 50, mode: 'unknown', perSecond: null },
      { group: 'partials-read', limit: 5, mode: 'unknown', perSecond: null },
    ]);
  });

  test('the limit of all holds up everybody', () => {
    const quota = quotaWith([
      ['', 50, 40],
      ['partials-read', 50, 0],
    ]);
    expect([quota.ask('', 2).ms > 0, quota.ask('partials-read', 2).ms > 0, quota.seen().length]).toEqual([
      true,
      true,
      1,
    ]);
  });

  test('the first request goes alone', () => {
    const quota = openQuota({ share: 1, mostInFlight: 16, wallOffset: moment, maxWaitMs: 120_000 });
    quota.leave('', 0);
    expect([quota.ask('', 1).ms, quota.ask('partials-read', 1).ms]).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
  });
});

test('a bucket that seems to drip once in an hour is asked after half a minute all the same', () => {
  const quota = openQuota({ share: 1, mostInFlight: 16, wallOffset: moment, maxWaitMs: 120_000 });
  const answer = (at: number, resetAt: number) =>
    quota.learn(quota.leave('', at), {
      status: 200,
      headers: { limit: 9, remaining: 0, resetAt: moment + resetAt, retryAfter: null, date: moment + at },
      at: at + 50,
      random: 0,
    });
  answer(0, 3_000_000);
  answer(1000, 3_400_000);
  expect(quota.seen()).toMatchObject([{ mode: 'drip' }]);
  expect(quota.ask('', 1100).ms).toBeGreaterThan(20_000);
  expect(quota.ask('', 31_001).ms).toBe(0);
});

describe('the gate', () => {
  const limits = { concurrency: 16, maxWaitMs: 120_000, totalMs: 600_000 };
  const ok = async () =>
    ({ answered: true, answer: { status: 200, headers: {}, body: { bytes: Buffer.alloc(0), fault: null } } }) as const;
  const asking = { operation: 'list', group: '' };

  test('costs next to nothing where no quota is told', async () => {
    const clock = startFakeClock();
    const gate = quotaGate({ clock, limits, signal: new AbortController().signal, share: 0.9, emit: () => {} });
    await Promise.all(Array.from({ length: 1000 }, () => gate.pass(asking, ok)));
    expect([clock.waits, gate.seen()]).toEqual([[], []]);
  });

  test('what cannot be sent does not keep its place, and what is stopped is not sent', async () => {
    const stop = new AbortController();
    const gate = quotaGate({
      clock: stoppedClock(() => {}),
      limits: { ...limits, concurrency: 1 },
      signal: stop.signal,
      share: 1,
      emit: () => {},
    });
    await expect(gate.pass(asking, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.pass(asking, ok)).toMatchObject({ answered: true });
    let answer = () => {};
    const slow = gate.pass(
      asking,
      () =>
        new Promise((resolve) => {
          answer = () => resolve(ok());
        }),
    );
    const waiting = gate.pass(asking, ok);
    stop.abort();
    expect(await waiting).toEqual(notSent('stopped before it was sent'));
    expect(await gate.pass(asking, ok)).toEqual(notSent('stopped before it was sent'));
    answer();
    expect(await slow).toMatchObject({ answered: true });
  });
});
