import type { Clock } from '../../model/clock.ts';

/** Requests per second, and how many at once after a pause: the size of the bucket. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export type TakeToken = ReturnType<typeof createTokenBucket>;

/** Refills continuously. X-RateLimit-Reset is the Unix time of the next token, in seconds, rounded up. */
export function createTokenBucket(rate: Rate, clock: Clock) {
  let tokens = rate.burst;
  let filledAt = clock.now();

  return () => {
    const now = clock.now();
    // Setting the clock back must not empty the bucket.
    tokens = Math.min(rate.burst, tokens + (Math.max(0, now - filledAt) / 1000) * rate.perSecond);
    filledAt = now;
    const granted = tokens >= 1;
    if (granted) tokens -= 1;
    const nextAt = now + ((1 - (tokens % 1)) / rate.perSecond) * 1000;
    return { granted, headers: rateLimitHeaders(rate.burst, Math.floor(tokens), nextAt) };
  };
}

/** The three headers of service specification 7; `resetAt` in milliseconds. */
export function rateLimitHeaders(limit: number, remaining: number, resetAt: number): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}
