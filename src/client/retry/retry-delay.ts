/**
 * How long a request waits before it is sent again. A 429 is 0 here, because the rate limiter holds back every request that must
 * wait for the quota.
 *
 *   503 with Retry-After: 3       3 s, and a margin for the cut fractions
 *   502, or no response           exponential backoff: 0.5 s, 1 s, 2 s … at most 20 s, with jitter down to half of it
 */
export interface RetryFacts {
  /** Tries made so far, at least 1. */
  readonly tries: number;
  /** Status of the last try; null when there was no response. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly retryAfter: number | null;
  /** The service's clock, in milliseconds since the epoch; null when it is unknown. */
  readonly date: number | null;
  /** The local clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly maxWaitMs: number;
  /** 0 to 1. */
  readonly random: number;
}

/** `until` (milliseconds since the epoch, the service's clock): the service asks for a longer wait than `maxWaitMs`. */
export type RetryDelay = { readonly ms: number } | { readonly until: number };

const shortestMs = 100;
const marginMs = 250;
const firstBackoffMs = 500;
const longestBackoffMs = 20_000;
const plausibleMs = 24 * 3_600_000;

export function retryDelay(facts: RetryFacts): RetryDelay {
  const { status, retryAfter, date, now, maxWaitMs } = facts;
  if (status === 429) return { ms: 0 };
  const asked =
    status === 503 && retryAfter !== null && retryAfter > 0 && retryAfter <= plausibleMs ? retryAfter : null;
  if (asked === null) return { ms: bounded(backoff(facts), maxWaitMs) };
  return asked > maxWaitMs ? { until: (date ?? now) + asked } : { ms: bounded(asked + marginMs, maxWaitMs) };
}

function backoff({ tries, random }: RetryFacts): number {
  const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1));
  return ceiling * (0.5 + random / 2);
}

function bounded(ms: number, maxWaitMs: number): number {
  return Math.max(shortestMs, Math.min(Math.ceil(ms), maxWaitMs));
}
