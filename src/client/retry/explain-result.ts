import { describeResponse, type Sanitizer } from '../transport/describe-response.ts';
import { type Exchange, wasNotSent } from '../transport/exchange.ts';
import type { SendResult, Stop } from './send-with-retries.ts';

/** Describes a request that did not succeed: the last status or cause, the tries, and why there were no more. */
export function explainResult({ last, tries, stop }: SendResult, sanitizer: Sanitizer): string {
  if ('noToken' in last) return sanitizer.sanitize(last.noToken.message);
  const what = describeExchange(last, sanitizer);
  const why = explainStop(stop);
  if (why !== null) return `${what}; ${why}`;
  return tries === 1 ? what : `${what}, after ${tries} tries`;
}

/** Why there was no further try; null if the last response explains it. */
export function explainStop(stop: Stop): string | null {
  if (stop.reason === 'given_up') return stop.why;
  return stop.reason === 'aborted' ? 'interrupted while waiting to retry' : null;
}

function describeExchange(last: Exchange, sanitizer: Sanitizer): string {
  if (last.responded) return describeResponse(last.response, sanitizer);
  return wasNotSent(last.failure)
    ? last.failure.cause.message
    : `no response (${sanitizer.sanitize(last.failure.code)})`;
}
