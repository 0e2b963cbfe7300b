import { getEventListeners } from 'node:events';
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
    expect(clock.waits).toEqual([]);
  });

  test('a signal of one listing ends what waits, and is not listened to by what was sent', async () => {
    const [clock, listing] = [startFakeClock(), new AbortController()];
    const signal = new AbortController().signal;
    const limiter = openRateLimiter({ clock, limits: { ...limits, concurrency: 1 }, signal, share: 1, emit: () => {} });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const ofListing = { ...request, signal: listing.signal };
    const sent = limiter.run(ofListing, () => answered.then(ok));
    const waiting = limiter.run(ofListing, ok);
    expect(getEventListeners(listing.signal, 'abort')).toHaveLength(1);
    listing.abort();
    expect(await waiting).toMatchObject({ responded: false, failure: { code: 'NOT_SENT' } });
    answer();
    expect(await sent).toMatchObject({ responded: true });
  });

  /** Five a minute, for reads and writes together. */
  const fiveAMinute = (clock: ReturnType<typeof startFakeClock>) => {
    let [tokens, at] = [5, clock.now()];
    const sent: string[] = [];
    const send = (name: string) => async () => {
      tokens = Math.min(5, tokens + (clock.now() - at) / 12_000);
      at = clock.now();
      const granted = tokens >= 1;
      if (granted) tokens -= 1;
      sent.push(granted ? name : `${name} refused`);
      const headers = {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': String(Math.floor(tokens)),
        'x-ratelimit-reset': String(Math.ceil((clock.now() + (5 - tokens) * 12_000) / 1000)),
      };
      const response = { status: granted ? 200 : 429, headers, body: { bytes: Buffer.alloc(0), error: null } };
      return { responded: true, response } as const;
    };
    return { sent, send };
  };

  test('no quota is too small for a write that needs a recent reading', async () => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    const limiter = openRateLimiter({ clock, limits, signal, share: 1, emit: () => {} });
    const { send, sent } = fiveAMinute(clock);
    const write = (name: string) => {
      let readAt = Number.NEGATIVE_INFINITY;
      const read = async () => {
        await limiter.run({ ...request, isRead: true }, send(`read ${name}`));
        readAt = clock.now();
        return true;
      };
      const ready = () => clock.now() - readAt <= 10_000 || read();
      // The retry layer sends a refused request again.
      const untilGranted = async (): Promise<unknown> => {
        const exchange = await limiter.run({ ...request, operation: 'delete' }, send(`write ${name}`), ready);
        return exchange.responded && exchange.response.status === 429 ? untilGranted() : exchange;
      };
      return untilGranted();
    };
    await Promise.all(Array.from({ length: 8 }, (_none, index) => write(`${index}`)));
    expect(sent.filter((name) => name.startsWith('write') && !name.endsWith('refused'))).toHaveLength(8);
    // A reading for each write, and some for those that were refused until the limit was known.
    expect(sent.length).toBeLessThanOrEqual(40);
  });

  test.each([3, 5])('in a window of %i, what writes are read for is not delayed by their own places', async (size) => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    const limiter = openRateLimiter({ clock, limits, signal, share: 1, emit: () => {} });
    const lengthMs = 10_000;
    let [left, opens] = [size, clock.now() + lengthMs];
    let written = 0;
    let sent = 0;
    const send = (isWrite: boolean) => async () => {
      while (clock.now() >= opens) [left, opens] = [size, opens + lengthMs];
      const granted = left > 0;
      sent += 1;
      if (granted) left -= 1;
      if (granted && isWrite) written += 1;
      const headers = {
        date: new Date(clock.now()).toUTCString(),
        'x-ratelimit-limit': String(size),
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': String(opens / 1000),
      };
      const response = { status: granted ? 200 : 429, headers, body: { bytes: Buffer.alloc(0), error: null } };
      return { responded: true, response } as const;
    };
    const write = async (): Promise<unknown> => {
      const ready = async () => {
        await limiter.run({ ...request, isRead: true }, send(false));
        return true;
      };
      const exchange = await limiter.run({ ...request, operation: 'delete' }, send(true), ready);
      return exchange.responded && exchange.response.status === 429 ? write() : exchange;
    };
    await Promise.all(Array.from({ length: 8 }, write));
    expect(written).toBe(8);
    expect(sent).toBeLessThanOrEqual(60);
  });

  test('writes are not read for any more if none was accepted for ten minutes', async () => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    const limiter = openRateLimiter({ clock, limits, signal, share: 1, emit: () => {} });
    const refused = async () =>
      ({
        responded: true,
        response: { status: 429, headers: {}, body: { bytes: Buffer.alloc(0), error: null } },
      }) as const;
    let readings = 0;
    const ready = async () => {
      readings += 1;
      await limiter.run({ ...request, isRead: true }, ok);
      await clock.sleep(240_000, signal);
      return true;
    };
    const write = () => limiter.run({ ...request, operation: 'delete' }, refused, ready);
    const results = [];
    for (let index = 0; index < 40; index += 1) results.push(await write());
    expect(readings).toBeLessThanOrEqual(6);
    expect(results.at(-1)).toMatchObject({ responded: false });
    expect(await limiter.run(request, ok)).toMatchObject({ responded: true });
  });

  test('a write that must not be sent any more is not, and its place is free', async () => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    const limiter = openRateLimiter({ clock, limits: { ...limits, concurrency: 1 }, signal, share: 1, emit: () => {} });
    let sent = 0;
    const send = () => {
      sent += 1;
      return ok();
    };
    expect(await limiter.run(request, send, async () => false)).toMatchObject({ responded: false });
    expect(await limiter.run(request, send, () => false)).toMatchObject({ responded: false });
    await expect(limiter.run(request, send, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(sent).toBe(0);
    expect(await limiter.run(request, send, () => true)).toMatchObject({ responded: true });
    expect(sent).toBe(1);
  });

  test('writes that wait for a reading do not keep it from being sent', async () => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    const limiter = openRateLimiter({ clock, limits: { ...limits, concurrency: 2 }, signal, share: 1, emit: () => {} });
    const sent: string[] = [];
    const send = (name: string) => () => {
      sent.push(name);
      return ok();
    };
    let reading: Promise<unknown> | null = null;
    const ready = async () => {
      reading ??= limiter.run({ ...request, isRead: true }, send('read'));
      await reading;
      return true;
    };
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => limiter.run(request, send(name), ready)));
    expect(sent).toEqual(['read', 'a', 'b', 'c', 'd']);
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
