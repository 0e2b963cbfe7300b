import { describeAnswer } from './describe-answer.ts';
import type { Exchange } from './exchange.ts';
import { wasNotSent } from './quota/not-sent.ts';
import type { SecretMask } from './secret-mask.ts';
import type { Sent, Stop } from './send-with-retries.ts';

/** What came of a request that did not succeed, in words: the last status or cause, the tries, and why there were no more. */
export function explainSent({ last, tries, stop }: Sent, mask: SecretMask): string {
  if ('noToken' in last) return mask.clean(last.noToken.message);
  const what = whatCame(last, mask);
  const why = explainStop(stop);
  if (why !== null) return `${what}; ${why}`;
  return tries === 1 ? what : `${what}, after ${tries} tries`;
}

/** Why there was no further try, where that is worth a word. */
export function explainStop(stop: Stop): string | null {
  if (stop.reason === 'given_up') return stop.why;
  return stop.reason === 'stopped' ? 'stopped while waiting to try again' : null;
}

function whatCame(last: Exchange, mask: SecretMask): string {
  if (last.answered) return describeAnswer(last.answer, mask);
  return wasNotSent(last.failure) ? last.failure.cause.message : `no answer (${mask.clean(last.failure.code)})`;
}
