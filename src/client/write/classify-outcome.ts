import { readValue } from '../../contract/read-value.ts';
import type { Operation } from '../../model/operation.ts';
import { inDoubt, type PerformedAction } from '../../model/outcome.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import { explainResult } from '../retry/explain-result.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { ServiceError } from '../service-error.ts';
import { explainMissingOperation, isOwnNotFound } from '../transport/describe-response.ts';
import { connectedLate, wasNotSent } from '../transport/exchange.ts';
import { messageOf, type ShownMessage } from '../transport/shown-message.ts';
import { recognizeSuccess } from './recognize-success.ts';

type Classified = Omit<PerformedAction, 'id'>;

/**
 * The outcome of a write, from its last try and from whether an earlier one may have been carried out.
 *
 *   204                               done
 *   200 with an HTML page, 202, 302   unknown: it is not the success of the operation
 *   404 where gone is what we want    done, also after a broken connection; unknown if it is not the service's own
 *   429, 429, 429, 429, 429           failed: refused every time, so nothing happened
 *   reset, 429, 429, 429, 429         unknown: the first may have happened
 *   reset, 400                        unknown, for the same reason
 *   refused connection, five times    failed: nothing was ever sent, and nothing will be
 */
export function classifyOutcome(
  operation: Operation,
  request: PlannedRequest,
  result: SendResult,
  shown: ShownMessage,
): Classified {
  const { last } = result;
  const status = last.responded ? last.response.status : null;
  if (last.responded && last.response.status < 300) {
    const success = recognizeSuccess(operation, request, last.response);
    if (!success.ok) return { outcome: 'unknown', status, message: `status ${status}, but ${success.why}${inDoubt}` };
    return { outcome: 'done', status, message: null, ...returnedBy(operation, success.value) };
  }
  const isGone = last.responded && status === operation.goneStatus;
  if (isGone && isOwnNotFound(last.response)) return { outcome: 'done', status, message: 'already gone' };
  const isRedirect = status !== null && status < 400;
  const ambiguous = result.ambiguous || isRedirect || isGone;
  const explained = explainResult(result, shown) + explainMissingOperation(operation, last);
  const fatal = status === 401 || ('noToken' in last && last.noToken instanceof ServiceError) ? { fatal: true } : {};
  const said = last.responded ? messageOf(last.response) : null;
  const refused = { status, ...fatal, ...(said !== null && !explained.includes(said) && { refusal: said }) };
  if (ambiguous) return { outcome: 'unknown', message: explained + inDoubt, ...refused };
  if (last.responded) return { outcome: 'failed', message: explained, ...refused };
  const nothingSent = `${explained}; nothing was sent`;
  const neverSent = 'noToken' in last ? fatal.fatal === undefined : wasNotSent(last.failure);
  if (neverSent) return { outcome: 'not_attempted', status, message: nothingSent };
  // A host that accepted no connection in all these tries will not accept one for the other actions.
  const isLate = !('noToken' in last) && last.failure.code === connectedLate;
  const unreachable = result.stop.reason === 'tries_exhausted' && !result.reached && !isLate ? { fatal: true } : {};
  return { outcome: 'failed', status, message: nothingSent, ...unreachable, ...fatal };
}

/** The object of a response whose schema is known, for actions that refer to it. */
function returnedBy({ response }: Operation, value: unknown): Pick<PerformedAction, 'returned'> {
  if (response === undefined || Array.isArray(value) || !readValue(response, value).ok) return {};
  return typeof value === 'object' ? { returned: value as Readonly<Record<string, unknown>> } : {};
}
