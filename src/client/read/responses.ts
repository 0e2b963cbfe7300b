import type { GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { type NotRead, notOnTenant } from '../../model/reader.ts';
import type { RetryPolicy } from '../retry/retry-policy.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { unauthorizedError, unreachableError } from '../service-error.ts';
import type { Session } from '../session.ts';
import { explainMissingOperation, explainResult, isOwnNotFound, lackingIn } from '../transport/describe-response.ts';
import { type HttpResponse, hadNoToken } from '../transport/exchange.ts';
import { pageIn, whyNotJson } from '../transport/page.ts';
import { parseJson } from '../transport/parse-json.ts';
import { shownMessage } from '../transport/shown-message.ts';

/** Sends the request for a GET operation. */
export type SendRead = (
  operation: GetOperation | ListOperation,
  path: string,
  policy?: ReadPolicy,
) => Promise<SentRead>;

export interface ReadPolicy extends RetryPolicy {
  /** Aborts the request as well, wherever it is; default: that of the session alone. */
  readonly signal?: AbortSignal;
}

export interface SentRead {
  readonly result: SendResult;
  /** By the monotonic clock. */
  readonly arrivedAt: number;
}

/** A successful response, not yet parsed. */
export interface RawResponse {
  readonly ok: true;
  readonly response: HttpResponse;
  readonly arrivedAt: number;
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
  { result, arrivedAt }: SentRead,
): RawResponse | NotRead {
  const { last } = result;
  // A cursor is the service's own text.
  const shown = shownMessage(session, { path: path.replace(/\bfrom=[^&]*/, '') });
  session.signal.throwIfAborted();
  if (!last.responded && hadNoToken(last.failure)) throw last.failure.cause;
  if (!last.responded && !session.reached()) throw unreachableError(session.host, last.failure, result.tries);
  const status = last.responded ? last.response.status : null;
  if (last.responded && status === operation.success) {
    const tooLarge = `${where}the response is larger than ${session.limits.maxResponseBytes} bytes`;
    return last.response.body.error === null
      ? { ok: true, response: last.response, arrivedAt }
      : incomplete(operation, tooLarge);
  }
  if (last.responded && status === 401)
    throw unauthorizedError(session.host, explainResult(result, shown), last.response);
  const serviceMessage = last.responded ? shown(last.response) : null;
  const isGone = last.responded && status === 404 && isOwnNotFound(last.response);
  const why = where + explainResult(result, shown);
  const lacking = last.responded ? lackingIn(operation, last.response) : undefined;
  const { confirmedBy } = lacking ?? {};
  const read = { status, serviceMessage, ...(isGone && { gone: true }), ...(confirmedBy && { confirmedBy }) };
  if (lacking !== undefined && confirmedBy === undefined) return notOnTenant(incomplete(operation, why, read));
  // A proxy knows no scopes.
  if (last.responded && status === 403 && pageIn(last.response) === null)
    return forbidden(operation, why, serviceMessage);
  return incomplete(operation, why + explainMissingOperation(operation, last), read);
}

export function parseBody(
  operation: GetOperation | ListOperation,
  where: string,
  response: HttpResponse,
): { readonly ok: true; readonly value: unknown } | NotRead {
  const parsed = parseJson(response.body.bytes);
  if (parsed.ok && Array.isArray(parsed.value) && operation.paging?.style !== 'none')
    return incomplete(operation, `${where}the response is an array where an object was expected`);
  return parsed.ok ? parsed : incomplete(operation, where + whyNotJson(response, parsed.why));
}

/** The result of a read that is not complete: what it was meant to show is unknown. */
export function incomplete(
  operation: Operation,
  why: string,
  response: Omit<NotRead, 'ok' | 'why'> = { status: null, serviceMessage: null },
  code: NotRead['why']['code'] = 'LIVE_LISTING_INCOMPLETE',
): NotRead {
  const message = `${operation.id}: ${why}`;
  return { ok: false, why: { readable: false, structural: false, code, message }, ...response };
}

/**
 * A missing scope and a missing feature of the tenant's plan are both a 403; the service's message distinguishes them
 * (public facts 6.1).
 */
export function forbidden(operation: Operation, why: string, serviceMessage: string | null): NotRead {
  const ofScope =
    serviceMessage === null || serviceMessage === 'Forbidden' || serviceMessage.startsWith('Insufficient scope');
  const needs = `the operation needs the scope ${operation.scope}${ofScope ? '' : ' and a tenant with the feature'}`;
  const code = ofScope ? 'LIVE_SCOPE_MISSING' : 'LIVE_FORBIDDEN';
  return incomplete(operation, `${why}; ${needs}`, { status: 403, serviceMessage }, code);
}
