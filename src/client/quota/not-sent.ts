import type { Exchange, NetworkFailure } from '../exchange.ts';

const code = 'NOT_SENT';

/** What comes of a request that was never sent; `why` is for people. */
export function notSent(why: string): Exchange {
  return { answered: false, failure: { code, opened: false, retryable: false, cause: new Error(why) } };
}

export function wasNotSent(failure: NetworkFailure): boolean {
  return failure.code === code;
}
