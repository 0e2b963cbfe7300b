import type { Operation } from '../../model/operation.ts';
import { inDoubt, type PerformedAction } from '../../model/outcome.ts';
import { explainResult } from '../retry/explain-result.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { ServiceError } from '../service-error.ts';
import {
  describeSchemaErrors,
  explainMissingOperation,
  messageOf,
  parseJson,
  type Sanitizer,
} from '../transport/describe-response.ts';
import { type HttpResponse, wasNotSent } from '../transport/exchange.ts';

type Classified = Omit<PerformedAction, 'id'>;

/**
 * The outcome of a write, from its last try and from whether an earlier one may have been carried out.
 *
 *   204                               done
 *   200 with an HTML page             unknown: a proxy may have sent it
 *   404 where gone is what we want    done, also after a broken connection
 *   429, 429, 429, 429, 429           failed: refused every time, so nothing happened
 *   reset, 429, 429, 429, 429         unknown: the first may have happened
 *   reset, 400                        unknown, for the same reason
 *   refused connection, five times    failed: nothing was ever sent, and nothing will be
 */
export function classifyOutcome(operation: Operation, result: SendResult, sanitizer: Sanitizer): Classified {
  const { last, ambiguous } = result;
  const status = last.responded ? last.response.status : null;
  if (last.responded && last.response.status < 300) {
    const doubt = doubtAbout(operation, last.response);
    return doubt === null
      ? { outcome: 'done', status, message: null, ...returnedBy(operation, last.response) }
      : { outcome: 'unknown', status, message: `status ${status}, but ${doubt}${inDoubt}` };
  }
  if (status !== null && status === operation.goneStatus) return { outcome: 'done', status, message: 'already gone' };
  const explained =
    explainResult(result, sanitizer) +
    (last.responded ? explainMissingOperation(operation, status, messageOf(last.response, sanitizer)) : '');
  const fatal = status === 401 || ('noToken' in last && last.noToken instanceof ServiceError) ? { fatal: true } : {};
  if (ambiguous) return { outcome: 'unknown', status, message: explained + inDoubt, ...fatal };
  if (last.responded) return { outcome: 'failed', status, message: explained, ...fatal };
  const nothingSent = `${explained}; nothing was sent`;
  const neverSent = 'noToken' in last ? fatal.fatal === undefined : wasNotSent(last.failure);
  if (neverSent) return { outcome: 'not_attempted', status, message: nothingSent };
  // A host that accepted no connection in all these tries will not accept one for the other actions.
  const unreachable = result.stop.reason === 'tries_exhausted' && !result.reached ? { fatal: true } : {};
  return { outcome: 'failed', status, message: nothingSent, ...unreachable, ...fatal };
}

/**
 * Why a 2xx may not be the service's own response to a write; null when there is no reason for doubt. A proxy or a
 * login page also responds with 200. The service specification shows no body of a write, so its own operations accept
 * anything but a page; for the others the schema is known (public facts 1.1, 2.1, 3.1, 4.1) and checked when the body
 * is complete.
 */
export function doubtAbout({ api, response }: Operation, { status, body }: HttpResponse): string | null {
  if (status < 200) return 'it is not a final response';
  if (body.error !== null || body.bytes.length === 0) return null;
  const parsed = parseJson(body.bytes);
  if (api === 'documented')
    return !parsed.ok && /^\s*</.test(body.bytes.toString('latin1', 0, 100)) ? 'the body is an HTML page' : null;
  if (!parsed.ok) return parsed.why;
  return response === undefined || response.validate(parsed.value) ? null : describeSchemaErrors(response);
}

/** The object of a response whose schema is known, for actions that refer to it. */
function returnedBy({ response }: Operation, { body }: HttpResponse): Pick<PerformedAction, 'returned'> {
  if (response === undefined || body.error !== null) return {};
  const parsed = parseJson(body.bytes);
  if (!parsed.ok || !response.validate(parsed.value)) return {};
  const { value } = parsed;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { returned: value as Readonly<Record<string, unknown>> } : {};
}
