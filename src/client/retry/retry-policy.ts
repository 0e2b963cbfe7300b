import type { Method } from '../../model/operation.ts';
import type { Exchange } from '../transport/exchange.ts';
import { askedWait, rateHeaders } from '../transport/rate-headers.ts';

/** Which requests may be sent again. */
export interface RetryPolicy {
  readonly mayRetry: (exchange: Exchange) => boolean;
  /** Once a read has shown that the request was not carried out. */
  readonly mayRetryAfterRead?: (exchange: Exchange) => boolean;
}

/**
 * Statuses that a later try may not get: the rate limit, and errors of proxies (from 520 on: of Cloudflare). The 500 of a
 * write may be caused by its body.
 */
const transient = [429, 502, 503, 504, 520, 521, 522, 523, 524];

/** A read has no body, so its 500 is an error of the service. 408 and 425 ask for the same request again. */
const transientForReads = [...transient, 408, 425, 500];

function after(statuses: readonly number[]): RetryPolicy['mayRetry'] {
  return (exchange) => (exchange.responded ? statuses.includes(exchange.response.status) : exchange.failure.retryable);
}

const isTransient = after(transient);

/** A request that was rate limited, or for which no connection was open, was not carried out. */
function wasNotCarriedOut(exchange: Exchange): boolean {
  return exchange.responded ? exchange.response.status === 429 : exchange.failure.retryable && !exchange.failure.opened;
}

/** Sending the request twice has the effect of sending it once. */
const idempotent: RetryPolicy = { mayRetry: isTransient };

export const retryPolicies: Readonly<Record<Method | 'token', RetryPolicy>> = {
  GET: { mayRetry: after(transientForReads) },
  PUT: idempotent,
  PATCH: idempotent,
  DELETE: idempotent,
  POST: { mayRetry: wasNotCarriedOut, mayRetryAfterRead: isTransient },
  // A second token does no damage.
  token: {
    mayRetry: (exchange) =>
      exchange.responded
        ? exchange.response.status === 429 || exchange.response.status >= 500
        : exchange.failure.retryable,
  },
};

const size = 500;
const price = { retry: 5, timeout: 10 };

export type RetryBudget = ReturnType<typeof retryBudget>;

/**
 * How many retries an entire run may make: a bucket of 500, from which a retry takes 5 and one after a timeout 10, and
 * to which every success adds 1. A service that is down costs a run a hundred retries instead of five for each of ten
 * thousand requests; a service that refuses a request now and then never empties it.
 */
export function retryBudget() {
  let left = size;
  return {
    /** Takes the price of a retry; false when not enough is left. */
    take(timedOut: boolean): boolean {
      const cost = timedOut ? price.timeout : price.retry;
      if (left < cost) return false;
      left -= cost;
      return true;
    },
    succeed(): void {
      left = Math.min(size, left + 1);
    },
  };
}

/** `until` (milliseconds since the epoch, the service's clock): the service asks for a longer wait than `maxWaitMs`. */
export type RetryDelay = { readonly ms: number } | { readonly until: number };

export interface RetryFacts {
  /** Tries made so far, at least 1. */
  readonly tries: number;
  /** The local clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly maxWaitMs: number;
  /** 0 to 1. */
  readonly random: number;
}

const shortestMs = 100;
const marginMs = 250;
const firstBackoffMs = 500;
const longestBackoffMs = 20_000;
const plausibleMs = 24 * 3_600_000;

/**
 * How long a request waits before it is sent again. A 429 is 0 here, because the rate limiter delays every request
 * that must wait for the quota.
 *
 *   503 with Retry-After: 3       3 s, and a margin for the cut fractions
 *   503 with Retry-After: a date  until then, by the clock of the service
 *   502, or no response           exponential backoff: 0.5 s, 1 s, 2 s … at most 20 s, with jitter down to half of it
 */
export function retryDelay(last: Exchange, facts: RetryFacts): RetryDelay {
  const { now, maxWaitMs } = facts;
  const status = last.responded ? last.response.status : null;
  if (status === 429) return { ms: 0 };
  const headers = last.responded && status === 503 ? rateHeaders(last.response.headers) : null;
  const asked = headers === null ? 0 : (askedWait(headers, now) ?? 0);
  if (asked <= 0 || asked > plausibleMs) return { ms: bounded(backoff(facts), maxWaitMs) };
  return asked > maxWaitMs ? { until: (headers?.date ?? now) + asked } : { ms: bounded(asked + marginMs, maxWaitMs) };
}

function backoff({ tries, random }: RetryFacts): number {
  const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1));
  return ceiling * (0.5 + random / 2);
}

function bounded(ms: number, maxWaitMs: number): number {
  return Math.max(shortestMs, Math.min(Math.ceil(ms), maxWaitMs));
}
