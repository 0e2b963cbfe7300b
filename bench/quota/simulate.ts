import type { IncomingHttpHeaders } from 'node:http';
import { openRateLimiter } from '../../src/client/limits/rate-limiter.ts';
import { retryBudget, retryPolicies } from '../../src/client/retry/retry-policy.ts';
import { openRetries } from '../../src/client/retry/send-with-retries.ts';
import { clientLimits } from '../../src/client/session.ts';
import type { Exchange } from '../../src/client/transport/exchange.ts';
import { type Limiter, openLimiter, type Shape } from './limiters.ts';
import { virtualClock } from './virtual-clock.ts';

/** A service, its network, and a client that sends so many requests. */
export interface Scene {
  readonly shapes: readonly Shape[];
  readonly requests: number;
  readonly seed: number;
  /** Which responses have rate limit headers. */
  readonly headers?: 'all' | 'refusals' | 'none';
  /** The service's clock - the real one, in milliseconds. */
  readonly skewMs?: number;
  readonly noDate?: boolean;
  /** Requests per second of another client, at random times. */
  readonly competitor?: number;
  /** So many responses in a row repeat the headers of the first of them. */
  readonly staleFor?: number;
  readonly share?: number;
  /** One way, in milliseconds: at least and at most. */
  readonly latency?: readonly [number, number];
  readonly workers?: number;
}

export interface Run {
  /** Utilisation: the time of an ideal client as a part of the time that was taken. */
  readonly used: number;
  readonly refusals: number;
  readonly givenUp: number;
  readonly ms: number;
  readonly competitor: { readonly asked: number; readonly refused: number };
}

export async function simulate(scene: Scene): Promise<Run> {
  const {
    shapes,
    requests,
    seed,
    headers = 'all',
    skewMs = 0,
    noDate = false,
    staleFor = 0,
    share = 1,
    latency = [30, 100],
    workers = 32,
  } = scene;
  const random = randomFrom(seed);
  const clock = virtualClock(Date.UTC(2026, 10, 20, 10, 0, 0) + Math.floor(random() * 1000));
  const limiters = shapes.map(openLimiter);
  const serverNow = () => clock.now() + skewMs;
  const others = compete(scene, clock, limiters, serverNow, random);
  let refusals = 0;
  let stale: { left: number; readonly headers: IncomingHttpHeaders } | null = null;

  const respond = (): Exchange => {
    const now = serverNow();
    const granted = take(limiters, now);
    if (!granted) refusals += 1;
    let current = rateHeaders(limiters, now);
    if (granted && staleFor > 0) {
      if (stale === null || stale.left === 0) stale = { left: staleFor, headers: current };
      else current = stale.headers;
      stale.left -= 1;
    }
    const shown = headers === 'all' || (headers === 'refusals' && !granted) ? current : {};
    const date = noDate ? {} : { date: new Date(now).toUTCString() };
    return {
      responded: true,
      response: {
        status: granted ? 200 : 429,
        headers: { ...date, ...shown },
        body: { bytes: Buffer.alloc(0), error: null },
      },
    };
  };
  const oneWay = () => latency[0] + random() * (latency[1] - latency[0]);
  const send = () =>
    new Promise<Exchange>((resolve) => {
      clock.at(clock.monotonic() + oneWay(), () => {
        const exchange = respond();
        clock.at(clock.monotonic() + oneWay(), () => resolve(exchange));
      });
    });

  const signal = new AbortController().signal;
  const limits = clientLimits();
  const emit = () => {};
  const limiter = openRateLimiter({ clock, limits, signal, share, emit, random });
  const options = {
    operation: 'simulated',
    limits,
    clock,
    signal,
    budget: retryBudget(),
    emit,
    policy: retryPolicies.GET,
  };
  let left = requests;
  let givenUp = 0;
  let endedAt = 0;
  const work = async () => {
    while (left-- > 0) {
      const { last } = await openRetries(() => limiter.run({ operation: 'simulated', group: '' }, send), options)();
      if (!last.responded || last.response.status !== 200) givenUp += 1;
      endedAt = clock.monotonic();
    }
  };
  const all = Promise.all(Array.from({ length: workers }, work));
  const stalled = new Promise<void>((resolve) => clock.at(stalledMs, resolve));
  await clock.run(Promise.race([all, stalled]));
  if (left >= 0) return { used: 0, refusals, givenUp: left, ms: stalledMs, competitor: others };
  return { used: idealMs(scene, latency) / endedAt, refusals, givenUp, ms: endedAt, competitor: others };
}

/** Far longer than any scene can take. */
const stalledMs = 24 * 3_600_000;

function take(limiters: readonly Limiter[], now: number): boolean {
  const granted = limiters.every((limiter) => limiter.allows(now));
  if (granted) for (const limiter of limiters) limiter.take(now);
  return granted;
}

/** The headers of the limit of which the least is left. */
function rateHeaders(limiters: readonly Limiter[], now: number): IncomingHttpHeaders {
  const shown = limiters
    .map((limiter) => ({ limit: limiter.limit, ...limiter.show(now) }))
    .sort((a, b) => a.remaining - b.remaining)[0];
  if (shown === undefined) return {};
  return {
    'x-ratelimit-limit': `${shown.limit}`,
    'x-ratelimit-remaining': `${shown.remaining}`,
    'x-ratelimit-reset': `${shown.reset}`,
  };
}

function compete(
  { competitor = 0 }: Scene,
  clock: ReturnType<typeof virtualClock>,
  limiters: readonly Limiter[],
  now: () => number,
  random: () => number,
) {
  const count = { asked: 0, refused: 0 };
  const next = () => {
    clock.at(clock.monotonic() - (Math.log(1 - random()) / competitor) * 1000, () => {
      count.asked += 1;
      if (!take(limiters, now())) count.refused += 1;
      next();
    });
  };
  if (competitor > 0) next();
  return count;
}

/** The time of a client that sends every request so that it arrives as soon as it is granted; alone on the service. */
function idealMs({ shapes, requests, seed, skewMs = 0 }: Scene, [fastest, slowest]: readonly [number, number]): number {
  const random = randomFrom(seed);
  const start = Date.UTC(2026, 10, 20, 10, 0, 0) + Math.floor(random() * 1000) + skewMs;
  const limiters = shapes.map(openLimiter);
  const oneWay = (fastest + slowest) / 2;
  let now = start + oneWay;
  for (let sent = 0; sent < requests; sent += 1) {
    now = Math.max(...limiters.map((limiter) => limiter.nextAt(now)));
    for (const limiter of limiters) limiter.take(now);
  }
  return now - start + oneWay;
}

/** mulberry32: the same numbers for the same seed, everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
