import { validateError } from '../../contract/error.generated.ts';
import { shape } from '../../contract/shape.ts';
import type { ServiceError } from '../../model/error.generated.ts';
import type { Operation, SchemaError, Shape } from '../../model/operation.ts';
import { openMasker } from '../../values/masker.ts';
import type { HttpResponse } from './exchange.ts';
import { parseJson } from './parse-json.ts';

/** Makes texts of the service fit for a message. A service can echo the secrets that it was sent. */
export interface Sanitizer {
  hide(secret: string): void;
  /** The text without secrets, on one line, cut to 300 characters. */
  sanitize(text: string): string;
}

const longest = 300;

export function openSanitizer(onSecret: (secret: string) => void = () => {}): Sanitizer {
  const { hide, mask } = openMasker({ shortest: 1 });
  const sanitize = (text: string) => {
    const line = mask(text).replaceAll(/\s+/g, ' ').trim();
    return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
  };
  const hideEverywhere = (secret: string) => {
    hide(secret);
    onSecret(secret);
  };
  return { hide: hideEverywhere, sanitize };
}

/** Describes a response that is no success: its status, and the service's own message. */
export function describeResponse(response: HttpResponse, sanitizer: Sanitizer): string {
  const { status } = response;
  if (status >= 300 && status < 400) return `status ${status}; redirects are not followed`;
  const message = messageOf(response, sanitizer);
  return message === null ? `status ${status}` : `status ${status}: ${message}`;
}

/** The service's own message for an error; null when the body does not have the assumed shape. */
export function messageOf({ body }: HttpResponse, { sanitize }: Sanitizer): string | null {
  const parsed = parseJson(body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value)) return null;
  const message = sanitize(parsed.value.message ?? parsed.value.error);
  return message === '' ? null : message;
}

/** The first error that a schema found in a value that it has just rejected: the JSON pointer, and the rule. */
export function describeSchemaErrors({ validate, schema }: Shape<unknown>): string {
  const errors = validate.errors ?? [];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${describeSchemaError(errors[0])} of ${schema}${more}`;
}

/** The place of an error below `pointer`, and the rule. */
export function describeSchemaError(error: SchemaError | undefined, pointer = ''): string {
  if (error === undefined) return 'the value';
  const { keyword, params } = error;
  const instancePath = pointer + error.instancePath;
  return `${instancePath === '' ? 'the document' : instancePath} violates the rule ${keyword} ${JSON.stringify(params)}`;
}

/**
 * What to add to a message when the service seems to lack an operation; '' when its response means something else. A
 * 404 with a message of its own is about the item that was asked for, not about the operation.
 */
export function explainMissingOperation({ api }: Operation, status: number | null, message: string | null): string {
  const missing = status === 405 || status === 501 || (status === 404 && !isAboutItem(message));
  if (!missing) return '';
  const fix =
    api === 'full'
      ? '; set api: documented in the header of the files to use only operations that every service has'
      : '';
  return `; the service does not have the operation${fix}`;
}

/**
 * Whether a response shows that the item does not exist: its body is the service's own error for this status, and its
 * message is about the item. A router and a proxy respond with 404 to a path that they do not know.
 */
export function isOwnNotFound(response: HttpResponse, sanitizer: Sanitizer): boolean {
  const parsed = parseJson(response.body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value) || parsed.value.statusCode !== response.status) return false;
  return isAboutItem(messageOf(response, sanitizer));
}

/** Messages of routers name no item, or the request: `Cannot DELETE /x`, `Route DELETE:/x not found`. */
function isAboutItem(message: string | null): boolean {
  return (
    message !== null && !/^not found\.?$|\b(route|endpoint|url|cannot (get|post|put|patch|delete))\b/i.test(message)
  );
}

/**
 * The body of an error response. Its shape is an assumption (public facts 6.1). Nothing is concluded from it except that
 * an item of a delete is gone, and a body of another shape leaves that unknown.
 */
export const errorBody = shape<ServiceError>('error.schema.json', validateError);
