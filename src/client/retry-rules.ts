import type { Method } from '../model/operation.ts';
import type { Exchange } from './exchange.ts';

/** Statuses that say "not now": the quota, and what stands in front of the service. 500 may be the request's own fault. */
const passing = [429, 502, 503, 504];

type Rule = (exchange: Exchange) => boolean;

/** What may go better the next time. */
export const repeatable: Rule = (exchange) => (exchange.answered ? passing.includes(exchange.answer.status) : exchange.failure.retryable);

/** A request that the quota refused, or for which there was no connection, has not been carried out. */
const notCarriedOut: Rule = (exchange) => (exchange.answered ? exchange.answer.status === 429 : exchange.failure.retryable && !exchange.failure.opened);

/**
 * Sending a method twice has the effect of sending it once, a POST apart: so a POST is sent again only when nothing can have come of
 * it, or when a reading has shown that nothing did (performer.ts).
 */
export const retryRules: Readonly<Record<Method, Rule>> & { readonly token: Rule } = {
  GET: repeatable,
  PUT: repeatable,
  PATCH: repeatable,
  DELETE: repeatable,
  POST: notCarriedOut,
  // A second token is harmless.
  token: (exchange) => (exchange.answered ? exchange.answer.status === 429 || exchange.answer.status >= 500 : exchange.failure.retryable),
};
