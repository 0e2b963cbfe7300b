import type { Method } from '../model/operation.ts';
import type { Exchange } from './exchange.ts';

/** When a request may be sent again. */
export interface RetryRule {
  readonly blindly: (exchange: Exchange) => boolean;
  /** Once a reading has shown that it was not carried out. */
  readonly afterReading?: (exchange: Exchange) => boolean;
}

/** Statuses that say "not now": the quota, and what stands in front of the service. 500 may be the request's own fault. */
const passing = [429, 502, 503, 504];

function mayPass(exchange: Exchange): boolean {
  return exchange.answered ? passing.includes(exchange.answer.status) : exchange.failure.retryable;
}

/** A request that the quota refused, or for which there was no connection, has not been carried out. */
function wasNotCarriedOut(exchange: Exchange): boolean {
  return exchange.answered ? exchange.answer.status === 429 : exchange.failure.retryable && !exchange.failure.opened;
}

/** Sending it twice has the effect of sending it once. */
const repeatable: RetryRule = { blindly: mayPass };

export const retryRules: Readonly<Record<Method | 'token', RetryRule>> = {
  GET: repeatable,
  PUT: repeatable,
  PATCH: repeatable,
  DELETE: repeatable,
  POST: { blindly: wasNotCarriedOut, afterReading: mayPass },
  // A second token is harmless.
  token: {
    blindly: (exchange) =>
      exchange.answered ? exchange.answer.status === 429 || exchange.answer.status >= 500 : exchange.failure.retryable,
  },
};
