/**
 * How many retries a whole run may make: a bucket of 500, from which a retry takes 5 and one after a timeout 10, and to which every
 * success gives 1. A service that is down costs a run a hundred retries and not five for each of ten thousand requests; one that
 * refuses a request now and then is never noticed.
 */
export interface RetryBudget {
  /** Takes the price of a retry; false when there is not enough left. */
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
