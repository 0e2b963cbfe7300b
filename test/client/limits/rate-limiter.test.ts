import { describe, expect, test } from 'vitest';
import { openRateLimiter } from '../../../src/client/limits/rate-limiter.ts';
import { notSent } from '../../../src/client/transport/exchange.ts';
import { startFakeClock, stoppedClock } from '../../support/fake-clock.ts';

describe('the rate limiter', () => {
  const limits = { concurrency: 16, maxWaitMs: 120_000, totalMs: 600_000 };
  const ok = async () =>
    ({
      responded: true,
      response: { status: 200, headers: {}, body: { bytes: Buffer.alloc(0), error: null } },
    }) as const;
  const request = { operation: 'list', group: '' };

  test('adds no waits when the service advertises no limit', async () => {
    const clock = startFakeClock();
    const limiter = openRateLimiter({
      clock,
      limits,
      signal: new AbortController().signal,
      share: 0.9,
      emit: () => {},
    });
    await Promise.all(Array.from({ length: 1000 }, () => limiter.run(request, ok)));
    expect([clock.waits, limiter.limits()]).toEqual([[], []]);
  });

  test('a request that fails to send frees its place, and nothing is sent after an abort', async () => {
    const stop = new AbortController();
    const limiter = openRateLimiter({
      clock: stoppedClock(() => {}),
      limits: { ...limits, concurrency: 1 },
      signal: stop.signal,
      share: 1,
      emit: () => {},
    });
    await expect(limiter.run(request, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limiter.run(request, ok)).toMatchObject({ responded: true });
    let answer = () => {};
    const slow = limiter.run(
      request,
      () =>
        new Promise((resolve) => {
          answer = () => resolve(ok());
        }),
    );
    const waiting = limiter.run(request, ok);
    stop.abort();
    expect(await waiting).toEqual(notSent('interrupted before it was sent'));
    expect(await limiter.run(request, ok)).toEqual(notSent('interrupted before it was sent'));
    answer();
    expect(await slow).toMatchObject({ responded: true });
  });
});
