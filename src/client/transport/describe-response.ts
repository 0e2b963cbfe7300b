import type { Lacking, Operation, SchemaError, Shape } from '../../model/operation.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { type Exchange, type HttpResponse, hadNoToken } from './exchange.ts';
import { pageIn, throughProxy } from './page.ts';
import { parseJson } from './parse-json.ts';
import { errorBody, messageOf, type ShownMessage } from './shown-message.ts';

/** Describes a response that is no success: its status, and what may be shown of its message. */
export function describeResponse(response: HttpResponse, shown: ShownMessage): string {
  const { status } = response;
  const start = `status ${status}${throughProxy(response)}`;
  if (status >= 300 && status < 400) return `${start}; redirects are not followed`;
  const message = shown(response) ?? pageIn(response);
  return message === null ? start : `${start}: ${message}`;
}

/** The place of an error below `pointer`, the rule and its schema; by default of the value that was just rejected. */
export function describeSchemaError(
  { schema, validate }: Shape<unknown>,
  error: SchemaError | undefined = validate.errors?.[0],
  pointer = '',
): string {
  if (error === undefined) return `the value of ${schema}`;
  const { instancePath, keyword, params } = error;
  return `${pointer + instancePath || 'the document'} violates the rule ${keyword} ${JSON.stringify(params)} of ${schema}`;
}

/**
 * What to add to a message when the service seems to lack an operation; '' when its response means something else. A
 * 404 with a message of its own is about the item that was asked for, not about the operation.
 */
export function explainMissingOperation({ api }: Operation, last: Exchange): string {
  if (!last.responded) return '';
  const { status } = last.response;
  const missing = status === 405 || status === 501 || (status === 404 && !isAboutItem(messageOf(last.response)));
  if (!missing) return '';
  const fix = '; set api: documented in the header of the files to use only operations that every service has';
  return `; the service does not have the operation${api === 'full' ? fix : ''}`;
}

/**
 * Whether a response shows that the item does not exist: its body is the service's own error for this status, and its
 * message is about the item. A router and a proxy respond with 404 to a path that they do not know.
 */
export function isOwnNotFound(response: HttpResponse): boolean {
  const parsed = parseJson(response.body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value) || parsed.value.statusCode !== response.status) return false;
  return isAboutItem(messageOf(response));
}

/** What the response says of the tenant if the service itself responds that it does not have the feature. */
export function lackingIn({ lacking = [] }: Operation, response: HttpResponse): Lacking | undefined {
  const parsed = parseJson(response.body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value) || parsed.value.statusCode !== response.status) return undefined;
  const { errorCode, message = '' } = parsed.value;
  return lacking.find(
    (known) =>
      known.status === response.status &&
      (known.errorCode === undefined || known.errorCode === errorCode) &&
      (known.message === undefined || known.message.test(message)),
  );
}

/** Messages of routers name no item, or the request: `Cannot DELETE /x`, `Route DELETE:/x not found`. */
function isAboutItem(message: string | null): boolean {
  return (
    message !== null && !/^not found\.?$|\b(route|endpoint|url|cannot (get|post|put|patch|delete))\b/i.test(message)
  );
}

/** Describes a request that did not succeed: the last status or cause, the tries, and why there were no more. */
export function explainResult({ last, tries, stop }: SendResult, shown: ShownMessage): string {
  if (!last.responded && hadNoToken(last.failure)) return last.failure.cause.message;
  const what = last.responded ? describeResponse(last.response, shown) : last.failure.cause.message;
  if (stop.reason === 'given_up') return `${what}; ${stop.why}`;
  if (stop.reason === 'aborted') return `${what}; interrupted while waiting to retry`;
  return tries === 1 ? what : `${what}, after ${tries} tries`;
}
