import { describe, expect, test } from 'vitest';
import { openHostLimits, type SentRequest } from '../../../src/client/limits/host-limits.ts';
import type { RateHeaders } from '../../../src/client/transport/rate-headers.ts';

const moment = Date.UTC(2026, 10, 20, 10, 0, 0);

function sent(limits: ReturnType<typeof openHostLimits>, group: string, now: number): SentRequest {
  return limits.reserve(group, now).send(now);
}

describe('groups of endpoints', () => {
  const headers = (limit: number, remaining: number): RateHeaders => ({
    limit,
    remaining,
    resetAt: moment + 60_000,
    retryAfter: null,
    retryAt: null,
    date: moment,
  });
  const limitsAfter = (steps: readonly (readonly [string, number, number])[]) => {
    const limits = openHostLimits({
      share: 1,
      mostInFlight: 16,
      wallOffset: moment,
      maxWaitMs: 120_000,
    });
    for (const [index, [group, limit, remaining]] of steps.entries()) {
      limits.observe(sent(limits, group, index), {
        status: 200,
        headers: headers(limit, remaining),
        at: index + 0.5,
        random: 0,
      });
    }
    return limits;
  };

  test('a limit of a group delays only the group', () => {
    const limits = limitsAfter([
      ['', 50, 40],
      ['partials-read', 5, 0],
    ]);
    expect([
      limits.check('', 2).ms,
      limits.check('partials-write', 2).ms,
      limits.check('partials-read', 2).ms > 0,
    ]).toEqual([0, 0, true]);
  });

  test('a limit of all requests delays every group', () => {
    const limits = limitsAfter([
      ['', 50, 40],
      ['partials-read', 50, 0],
    ]);
    expect([limits.check('', 2).ms > 0, limits.check('partials-read', 2).ms > 0]).toEqual([true, true]);
  });

  test('the first request is sent alone', () => {
    const limits = openHostLimits({
      share: 1,
      mostInFlight: 16,
      wallOffset: moment,
      maxWaitMs: 120_000,
    });
    sent(limits, '', 0);
    expect([limits.check('', 1).ms, limits.check('partials-read', 1).ms]).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
  });
});

test('a bucket that seems to refill once an hour gets a request after half a minute', () => {
  const limits = openHostLimits({
    share: 1,
    mostInFlight: 16,
    wallOffset: moment,
    maxWaitMs: 120_000,
  });
  const respond = (at: number, resetAt: number) =>
    limits.observe(sent(limits, '', at), {
      status: 200,
      headers: {
        limit: 9,
        remaining: 0,
        resetAt: moment + resetAt,
        retryAfter: null,
        retryAt: null,
        date: moment + at,
      },
      at: at + 50,
      random: 0,
    });
  respond(0, 3_000_000);
  respond(1000, 3_400_000);
  expect(limits.check('', 1100).ms).toBeGreaterThan(20_000);
  expect(limits.check('', 31_001).ms).toBe(0);
});
