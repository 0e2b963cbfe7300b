import { describe, expect, test } from 'vitest';
import { playScript } from '../../../bench/quota/scripted-service.ts';
import { namedShapes } from '../../../bench/quota/shapes.ts';
import { randomFrom, simulate } from '../../../bench/quota/simulate.ts';
import { measure, slowestShortRun, sweep } from '../../../bench/quota/table.ts';

describe.each(namedShapes)('$name', (shape) => {
  test('is used almost completely, with few refusals', async () => {
    const { used, refusals, givenUp } = await measure(shape, {}, 1);
    expect({ used: used >= 0.95, refusals: refusals <= 4, givenUp }).toEqual({
      used: true,
      refusals: true,
      givenUp: 0,
    });
  });

  test('is used well when only refusals have headers', async () => {
    const { used, refusals, givenUp } = await measure(shape, { headers: 'refusals' }, 1);
    expect({ used: used >= 0.9, refusals: refusals <= 100, givenUp }).toEqual({
      used: true,
      refusals: true,
      givenUp: 0,
    });
  });

  test('does not depend on the clock of the service', async () => {
    const short = { ...shape, requests: Math.min(shape.requests, 500), seed: 2 };
    const plain = await simulate(short);
    for (const skewMs of [3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
      const skewed = await simulate({ ...short, skewMs });
      expect(Math.abs(skewed.used - plain.used)).toBeLessThanOrEqual(0.01);
    }
  });

  test.each([
    ['headers are repeated', { staleFor: 5 }],
    ['there are no headers', { headers: 'none' as const }],
  ])('gives no request up when %s', async (_name, more) => {
    expect((await measure(shape, more, 2)).givenUp).toBe(0);
  });

  test.each([
    ['a wrong clock without a Date header', { noDate: true, skewMs: 3_600_000 }],
    ['another client, and a small share', { competitor: 0.5, share: 0.05 }],
  ])('does not stall with %s', async (_name, more) => {
    const { used } = await simulate({ ...shape, requests: 100, seed: 3, ...more });
    expect(used).toBeGreaterThan(0);
  });
});

describe.each(['full', 'next'] as const)('a bucket smaller than the cushion, whose reset is %s', (reset) => {
  test.each([
    [1, 1],
    [1, 2],
    [2, 2],
    [3, 1],
  ])('%i tokens, %i per second', async (size, perSecond) => {
    for (const headers of ['all', 'refusals'] as const) {
      const { used, givenUp } = await simulate({
        shapes: [{ kind: 'bucket', size, perSecond, reset }],
        requests: 60,
        seed: 1,
        headers,
        share: 0.9,
      });
      const least = headers === 'all' ? 0.4 : 0.2;
      expect({ headers, used: used >= least, givenUp }).toEqual({ headers, used: true, givenUp: 0 });
    }
  });
});

describe('a bucket whose reset is the next token is no window', () => {
  test.each([
    [20, 10],
    [10, 2],
    [30, 5],
    [50, 16],
  ])('%i tokens, %i per second', async (size, perSecond) => {
    for (const share of [0.9, 0.5]) {
      const shapes = [{ kind: 'bucket', size, perSecond, reset: 'next' }] as const;
      const { used, refusals, givenUp } = await measure({ name: 'bucket', shapes, requests: 300 }, { share }, 2);
      const result = { share, used: used >= 0.9, refusals: refusals <= 8, givenUp };
      expect(result).toEqual({ share, used: true, refusals: true, givenUp: 0 });
    }
  });
});

test.each(['full', 'next'] as const)(
  'a short run on a small bucket does not wait for seconds: reset %s',
  async (reset) => {
    expect(await slowestShortRun(reset, 100)).toBeLessThan(2000);
  },
);

test('random shapes', async () => {
  expect((await sweep(12)).filter(({ ok }) => ok === false)).toEqual([]);
});

const refusal = (headers = {}) => ({ status: 429, headers });

test('a minute of nothing but refusals costs few requests', async () => {
  const requested = async (headers: (wall: number) => object) =>
    (
      await playScript({
        respond: (_ms, _index, wall) => refusal(headers(wall)),
        requests: 1000,
        workers: 16,
        forMs: 60_000,
      })
    ).requested.length;
  const date = (wall: number) => ({ date: new Date(wall).toUTCString() });
  const soon = (wall: number) => ({ ...date(wall), 'x-ratelimit-reset': `${Math.ceil(wall / 1000) + 1}` });
  expect(await requested(() => ({}))).toBeLessThanOrEqual(20);
  expect(await requested(soon)).toBeLessThanOrEqual(20);
  expect(
    await requested((wall) => ({ ...soon(wall), 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })),
  ).toBeLessThanOrEqual(20);
});

test('a service that refuses every request ends the run', async () => {
  const { sent, ms, requested } = await playScript({ respond: () => refusal(), requests: 300, workers: 16 });
  expect(sent).toHaveLength(300);
  expect(sent.at(-1)).toMatchObject({ last: { responded: false, failure: { code: 'NOT_SENT' } } });
  expect([ms < 700_000, requested.length < 60]).toEqual([true, true]);
});

test('after the first refusal sixteen workers finish what is in flight and send nothing until the reset', async () => {
  let refusedAt = Number.POSITIVE_INFINITY;
  const { requested } = await playScript({
    respond: (ms, index, wall) => {
      if (index < 60 || ms > refusedAt + 9000) return { status: 200, headers: {} };
      refusedAt = Math.min(refusedAt, ms);
      return refusal({
        date: new Date(wall).toUTCString(),
        'x-ratelimit-reset': `${Math.floor((wall - (ms - refusedAt)) / 1000) + 10}`,
      });
    },
    requests: 200,
    workers: 16,
  });
  const during = requested.filter(({ sentAt }) => sentAt > refusedAt && sentAt < refusedAt + 8900);
  expect(requested.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(17);
  expect(during).toEqual([]);
  expect(requested).toHaveLength(200 + requested.filter(({ status }) => status === 429).length);
});

test('10,000 malformed headers cause no hot loop and no endless wait', async () => {
  const random = randomFrom(20_261_120);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const odd = (wall: number): string | undefined =>
    pick([
      undefined,
      '',
      '0',
      '-1',
      'NaN',
      '1e400',
      '1000000000000000000',
      '1.5',
      ' 7',
      '٣',
      new Date(wall + random() * 10_000).toUTCString(),
      `${Math.floor(wall / 1000 + random() * 200 - 100)}`,
      `${Math.floor(random() * 200)}`,
      `${Math.floor(wall / 1000 + (random() - 0.5) * 1e6)}`,
      String.fromCharCode(...Array.from({ length: 5 }, () => 33 + Math.floor(random() * 90))),
    ]);
  let tried = 0;
  const violations: unknown[] = [];
  while (tried < 10_000) {
    const { requested, waits } = await playScript({
      respond: (_ms, index, wall) => {
        if (index % 4 === 3) return { status: 200, headers: {} };
        tried += 2;
        const entries = Object.entries({
          'x-ratelimit-reset': odd(wall),
          'retry-after': odd(wall),
          'x-ratelimit-limit': pick([undefined, '10', '0', 'x']),
          'x-ratelimit-remaining': pick([undefined, '0', '11', '-3']),
          date: pick([undefined, 'x', new Date(wall).toUTCString()]),
        }).filter(([, value]) => value !== undefined);
        return refusal(Object.fromEntries(entries));
      },
      requests: 20,
      workers: 1,
      seed: tried,
    });
    for (const [index, { sentAt }] of requested.entries()) {
      const before = requested[index - 1];
      if (before?.status === 429 && sentAt - before.at < 99.9) violations.push({ before, sentAt });
    }
    violations.push(...waits.filter((ms) => ms > 120_000));
  }
  expect(violations).toEqual([]);
});
