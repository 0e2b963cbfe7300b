import { describeAnswer } from './describe-answer.ts';
import type { SecretMask } from './secret-mask.ts';
import type { Sent } from './send-with-retries.ts';

/** What came of a request that did not succeed, in words: the last status or cause, the tries, and why there were no more. */
export function explainSent({ last, tries, stop }: Sent, mask: SecretMask): string {
  if ('noToken' in last) return mask.clean(last.noToken.message);
  const what = last.answered ? describeAnswer(last.answer, mask) : `no answer (${mask.clean(last.failure.code)})`;
  if (stop.reason === 'wait_too_long') return `${what}; the service asks to wait until ${new Date(stop.until).toISOString()}, which is longer than allowed`;
  if (stop.reason === 'stopped') return `${what}; stopped while waiting to try again`;
  return tries === 1 ? what : `${what}, after ${tries} tries`;
}
