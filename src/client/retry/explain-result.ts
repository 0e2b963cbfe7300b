import { describeResponse } from '../transport/describe-response.ts';
import type { ShownMessage } from '../transport/shown-message.ts';
import type { SendResult, Stop } from './send-with-retries.ts';

/** Describes a request that did not succeed: the last status or cause, the tries, and why there were no more. */
export function explainResult({ last, tries, stop }: SendResult, shown: ShownMessage): string {
  if ('noToken' in last) return last.noToken.message;
  const what = last.responded ? describeResponse(last.response, shown) : last.failure.cause.message;
  const why = explainStop(stop);
  if (why !== null) return `${what}; ${why}`;
  return tries === 1 ? what : `${what}, after ${tries} tries`;
}

/** Why there was no further try; null if the last response explains it. */
export function explainStop(stop: Stop): string | null {
  if (stop.reason === 'given_up') return stop.why;
  return stop.reason === 'aborted' ? 'interrupted while waiting to retry' : null;
}
