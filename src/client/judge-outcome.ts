import type { Operation } from '../model/operation.ts';
import { inDoubt, type Outcome } from '../model/outcome.ts';
import { absentOperation } from './absent-operation.ts';
import { messageOf } from './describe-answer.ts';
import { explainSent } from './explain-sent.ts';
import { wasNotSent } from './quota/not-sent.ts';
import type { SecretMask } from './secret-mask.ts';
import type { Sent } from './send-with-retries.ts';
import { ServiceError } from './service-error.ts';
import { doubtAbout } from './written-answer.ts';

type Judgement = Omit<Outcome, 'id'> & { readonly fatal?: boolean };

/**
 * What became of a write, from its last try and from whether an earlier one may have been carried out.
 *
 *   204                               done
 *   200 with an HTML page             unknown: somebody else may have answered
 *   404 where gone is what we want    done, also after a broken connection
 *   429, 429, 429, 429, 429           failed: refused every time, so nothing happened
 *   reset, 429, 429, 429, 429         unknown: the first may have happened
 *   reset, 400                        unknown, for the same reason
 *   refused connection, five times    failed: nothing was ever sent, and nothing will be
 */
export function judgeOutcome(operation: Operation, sent: Sent, mask: SecretMask): Judgement {
  const { last, ambiguous } = sent;
  const status = last.answered ? last.answer.status : null;
  if (last.answered && last.answer.status < 300) {
    const doubt = doubtAbout(operation, last.answer);
    return doubt === null
      ? { outcome: 'done', status, message: null }
      : { outcome: 'unknown', status, message: `status ${status}, but ${doubt}${inDoubt}` };
  }
  if (status !== null && status === operation.goneStatus) return { outcome: 'done', status, message: 'already gone' };
  const explained =
    explainSent(sent, mask) + (last.answered ? absentOperation(operation, status, messageOf(last.answer, mask)) : '');
  const ends = status === 401 || ('noToken' in last && last.noToken instanceof ServiceError) ? { fatal: true } : {};
  if (ambiguous) return { outcome: 'unknown', status, message: explained + inDoubt, ...ends };
  if (last.answered) return { outcome: 'failed', status, message: explained, ...ends };
  const nothingSent = `${explained}; nothing was sent`;
  const neverSent = 'noToken' in last ? ends.fatal === undefined : wasNotSent(last.failure);
  if (neverSent) return { outcome: 'not_attempted', status, message: nothingSent };
  // A host to which no connection could be opened in all these tries is not there for the others either.
  const isGone = sent.stop.reason === 'tries_used_up' && !sent.reached ? { fatal: true } : {};
  return { outcome: 'failed', status, message: nothingSent, ...isGone, ...ends };
}
