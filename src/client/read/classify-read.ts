import type { GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import type { NotRead } from '../../model/reader.ts';
import { explainResult } from '../retry/explain-result.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { unauthorizedError, unreachableError } from '../service-error.ts';
import type { Session } from '../session.ts';
import { explainMissingOperation, isOwnNotFound } from '../transport/describe-response.ts';
import type { ResponseBody } from '../transport/exchange.ts';
import { parseJson } from '../transport/parse-json.ts';
import { shownMessage } from '../transport/shown-message.ts';

/** The JSON of a successful response, not yet validated. */
export interface RawResponse {
  readonly ok: true;
  readonly value: unknown;
  /** Its length. */
  readonly bytes: number;
}

/**
 * Classifies the result of a read. Throws what ends a run: no token, no host, the caller's signal. `where` names the
 * part that was requested, such as `page 3: `, or is empty.
 */
export function classifyRead(
  session: Session,
  operation: GetOperation | ListOperation,
  path: string,
  where: string,
  result: SendResult,
): RawResponse | NotRead {
  const { last } = result;
  // A cursor is the service's own text.
  const shown = shownMessage(session, { path: path.replace(/\bfrom=[^&]*/, '') });
  session.signal.throwIfAborted();
  if ('noToken' in last) throw last.noToken;
  if (!last.responded && !session.reached()) throw unreachableError(session.host, last.failure, result.tries);
  const status = last.responded ? last.response.status : null;
  if (last.responded && status === operation.success) return parseBody(session, operation, where, last.response.body);
  if (status === 401) throw unauthorizedError(session.host, explainResult(result, shown));
  const serviceMessage = last.responded ? shown(last.response) : null;
  const isGone = last.responded && status === 404 && isOwnNotFound(last.response);
  const why = where + explainResult(result, shown);
  if (status === 403) return forbidden(operation, why, serviceMessage);
  return incomplete(operation, why + explainMissingOperation(operation, last), {
    status,
    serviceMessage,
    ...(isGone && { gone: true }),
  });
}

function parseBody(
  { limits }: Session,
  operation: GetOperation | ListOperation,
  where: string,
  { bytes, error }: ResponseBody,
): RawResponse | NotRead {
  if (error !== null)
    return incomplete(operation, `${where}the response is larger than ${limits.maxResponseBytes} bytes`);
  const parsed = parseJson(bytes);
  return parsed.ok ? { ok: true, value: parsed.value, bytes: bytes.length } : incomplete(operation, where + parsed.why);
}

/** The result of a read that is not complete: what it was meant to show is unknown. */
export function incomplete(
  operation: Operation,
  why: string,
  response: Pick<NotRead, 'status' | 'serviceMessage' | 'gone'> = { status: null, serviceMessage: null },
): NotRead {
  return {
    ok: false,
    why: { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message: `${operation.id}: ${why}` },
    ...response,
  };
}

/**
 * A missing scope and a missing feature of the tenant's plan are both a 403; the service's message distinguishes them
 * (public facts 6.1).
 */
function forbidden(operation: Operation, why: string, serviceMessage: string | null): NotRead {
  const ofScope =
    serviceMessage === null || serviceMessage === 'Forbidden' || serviceMessage.startsWith('Insufficient scope');
  const code = ofScope ? 'LIVE_SCOPE_MISSING' : 'LIVE_FORBIDDEN';
  const needs = ofScope
    ? `the operation needs the scope ${operation.scope}`
    : `the operation needs the scope ${operation.scope} and a tenant with the feature`;
  return {
    ok: false,
    why: { readable: false, structural: false, code, message: `${operation.id}: ${why}; ${needs}` },
    status: 403,
    serviceMessage,
  };
}
