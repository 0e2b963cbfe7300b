import type { Method } from '../model/operation.ts';
import type { Exchange } from './exchange.ts';

/** Statuses that say "not now": the quota, and what stands in front of the service. 500 may be the request's own fault. */
const passing = [429, 502, 503, 504];

type Rule = (exchange: Exchange) => boolean;

const repeatable: Rule = (exchange) => (exchange.answered ? passing.includes(exchange.answer.status) : exchange.failure.retryable);

/** Sending these twice has the effect of sending them once; a POST or PATCH might have another. */
export const retryRules: Readonly<Record<Method, Rule>> & { readonly token: Rule } = {
  GET: repeatable,
  PUT: repeatable,
  DELETE: repeatable,
  POST: () => false,
  PATCH: () => false,
  // A second token is harmless.
  token: (exchange) => (exchange.answered ? exchange.answer.status === 429 || exchange.answer.status >= 500 : exchange.failure.retryable),
};
