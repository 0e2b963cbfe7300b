import type { Method } from '../../model/operation.ts';
import type { Exchange } from '../transport/exchange.ts';

/** Which requests may be sent again. */
export interface RetryPolicy {
  readonly mayRetry: (exchange: Exchange) => boolean;
  /** Once a read has shown that the request was not carried out. */
  readonly mayRetryAfterRead?: (exchange: Exchange) => boolean;
}

/** Statuses that pass by waiting: the rate limit, and what stands in front of the service. A 500 may be the request's own error. */
const transient = [429, 502, 503, 504];

function isTransient(exchange: Exchange): boolean {
  return exchange.responded ? transient.includes(exchange.response.status) : exchange.failure.retryable;
}

/** A request that was rate limited, or for which no connection was open, was not carried out. */
function wasNotCarriedOut(exchange: Exchange): boolean {
  return exchange.responded ? exchange.response.status === 429 : exchange.failure.retryable && !exchange.failure.opened;
}

/** Sending the request twice has the effect of sending it once. */
const idempotent: RetryPolicy = { mayRetry: isTransient };

export const retryPolicies: Readonly<Record<Method | 'token', RetryPolicy>> = {
  GET: idempotent,
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

/**
 * How many retries an entire run may make: a bucket of 500, from which a retry takes 5 and one after a timeout 10, and to which every
 * success adds 1. A service that is down costs a run a hundred retries instead of five for each of ten thousand requests; a service
 * that refuses a request now and then never empties it.
 */
export interface RetryBudget {
  /** Takes the price of a retry; false when not enough is left. */
  take(timedOut: boolean): boolean;
  succeed(): void;
}

const size = 500;
const price = { retry: 5, timeout: 10 };

export function retryBudget(): RetryBudget {
  let left = size;
  return {
    take(timedOut) {
      const cost = timedOut ? price.timeout : price.retry;
      if (left < cost) return false;
      left -= cost;
      return true;
    },
    succeed: () => {
      left = Math.min(size, left + 1);
    },
  };
}
