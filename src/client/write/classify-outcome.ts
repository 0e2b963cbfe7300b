import { readValue } from '../../contract/read-value.ts';
import type { Operation } from '../../model/operation.ts';
import { inDoubt, type PerformedAction } from '../../model/outcome.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { ServiceError } from '../service-error.ts';
import { explainMissingOperation, explainResult, isOwnNotFound } from '../transport/describe-response.ts';
import { connectedLate, type HttpResponse, hadNoToken, wasNotSent } from '../transport/exchange.ts';
import { pageIn, throughProxy } from '../transport/page.ts';
import { parseJson } from '../transport/parse-json.ts';
import { messageOf, type ShownMessage } from '../transport/shown-message.ts';

type Classified = Omit<PerformedAction, 'id'>;

/**
 * The outcome of a write, from its last try and from whether an earlier one may have been carried out.
 *
 *   204                               done
 *   200 with an HTML page, 202, 302   unknown: it is not the success of the operation
 *   202 of a deletion that takes time  unknown: only a reading shows that it is done
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
    const isEmpty = last.response.body.bytes.length === 0;
    if (status === operation.goneStatus && isEmpty) return { outcome: 'done', status, message: 'already gone' };
    const doubt = doubtOf(operation, request, last.response);
    const start = `status ${status}${throughProxy(last.response)}`;
    if (doubt !== null) return { outcome: 'unknown', status, message: `${start}, but ${doubt}${inDoubt}` };
    if (operation.async) return { outcome: 'unknown', status, message: `${start}: accepted${inDoubt}`, accepted: true };
    return { outcome: 'done', status, message: null };
  }
  const isGone = last.responded && status === operation.goneStatus;
  if (isGone && isOwnNotFound(last.response)) return { outcome: 'done', status, message: 'already gone' };
  const isRedirect = status !== null && status < 400;
  const ambiguous = result.ambiguous || isRedirect || isGone;
  const explained = explainResult(result, shown) + explainMissingOperation(operation, last);
  const fatal =
    status === 401 || (!last.responded && last.failure.cause instanceof ServiceError) ? { fatal: true } : {};
  const said = last.responded ? messageOf(last.response) : null;
  const refused = { status, ...fatal, ...(said !== null && !explained.includes(said) && { refusal: said }) };
  if (ambiguous) return { outcome: 'unknown', message: explained + inDoubt, ...refused };
  if (last.responded) return { outcome: 'failed', message: explained, ...refused };
  const nothingSent = `${explained}; nothing was sent`;
  const neverSent = hadNoToken(last.failure) ? fatal.fatal === undefined : wasNotSent(last.failure);
  const isLate = last.failure.code === connectedLate;
  if (neverSent || (isLate && result.stop.reason === 'aborted'))
    return { outcome: 'not_attempted', status, message: nothingSent };
  // A host that accepted no connection in all these tries will not accept one for the other actions.
  const unreachable = result.stop.reason === 'tries_exhausted' && !result.reached && !isLate ? { fatal: true } : {};
  return { outcome: 'failed', status, message: nothingSent, ...unreachable, ...fatal };
}

/** What the service specification does not show (4.2, 4.3, 4.4), as its operations may return it (ADR 19). */
const documentedStatuses = [200, 201, 204];

/**
 * Why a 2xx may not be the operation's own success, by status and shape; null if it is. A proxy, a login page and a queue
 * also respond with 2xx, and none of them shows that anything was carried out.
 *
 *   DELETE (documented)    200, 201 or 204, without a body or with JSON that reports no error
 *   POST, PATCH (public)   the status of the row, and the stored item
 *   DELETE (public)        the status of the row, without a body
 */
function doubtOf(
  { api, response: shape, success, async }: Operation,
  { body: sent }: PlannedRequest,
  response: HttpResponse,
): string | null {
  const { status, body } = response;
  const statuses = api === 'documented' ? documentedStatuses : [success];
  if (!statuses.includes(status)) return `the operation succeeds with ${statuses.join(', ')}`;
  if (body.error !== null) return 'the body is not complete';
  if (body.bytes.length === 0) return api === 'documented' || shape === undefined ? null : 'the body is empty';
  if (api === 'full' && shape === undefined && !(async && status === success)) return 'the operation returns no body';
  const parsed = parseJson(body.bytes);
  if (!parsed.ok) return pageIn(response) ?? parsed.why;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null) return 'the body is neither an object nor a list';
  const reported = [value].flat().find((item) => errorFieldOf(item, sent) !== undefined);
  if (reported !== undefined) return `the body has the field ${errorFieldOf(reported, sent)}`;
  if (api === 'documented' || shape === undefined) return null;
  const read = readValue(shape, value);
  return read.ok ? null : `the body violates ${read.error?.schemaPath} of ${shape.schema}`;
}

/** Fields that report an error, in bodies of the service and of what may be in front of it. */
const errorFields = ['error', 'errors', 'statusCode', 'errorCode', 'error_code', 'error_description'];

/** A field that was sent is content: a prompt may have a screen of this name. */
function errorFieldOf(value: unknown, sent: PlannedRequest['body'] = {}): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return errorFields.find((field) => Object.hasOwn(value, field) && !Object.hasOwn(sent, field));
}
