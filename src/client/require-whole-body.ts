import type { Exchange } from './exchange.ts';

/** For an answer that is needed to its last byte: a success whose body broke off counts as no answer, and may be tried again. */
export function requireWholeBody(exchange: Exchange): Exchange {
  if (!exchange.answered || exchange.answer.status >= 300) return exchange;
  const { fault } = exchange.answer.body;
  return fault === null || fault === 'too_large' ? exchange : { answered: false, failure: fault };
}
