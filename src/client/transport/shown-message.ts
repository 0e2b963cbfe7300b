import { validateError } from '../../contract/error.generated.ts';
import { errorCodes } from '../../contract/known-words.ts';
import { shape } from '../../contract/shape.ts';
import type { ServiceError } from '../../model/error.generated.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import { memberOf } from '../../values/json-pointer.ts';
import type { HttpResponse } from './exchange.ts';
import { parseJson } from './parse-json.ts';
import type { Sanitizer } from './sanitizer.ts';

/** What may be shown of the body of an error, null for nothing. Chosen once for each request, and used everywhere. */
export type ShownMessage = (response: HttpResponse) => string | null;

/**
 * For a request as it was planned, with references in place of secrets. If it has a secret, or sends back what a plan does not
 * know, see `closedMessage`; else
 * the message of the service, without what may be a secret in another form.
 */
export function shownMessage(
  { host, basePath, sanitizer }: { readonly host: string; readonly basePath: string; readonly sanitizer: Sanitizer },
  { path, body, secrets = [], live = [] }: Pick<PlannedRequest, 'path' | 'body' | 'secrets' | 'live'>,
): ShownMessage {
  if (secrets.length + live.length > 0) return closedMessage(body);
  return (response) => {
    const paths = [path, decodeURIComponent(path)].map((each) => `//${host}${basePath}${each}`);
    return sanitizer.sanitizeMessage(messageOf(response) ?? '', [...paths, ...placesIn(body).flat()]) || null;
  };
}

/**
 * A known error code and properties of the body, such as `invalid_body on property destination.type`, and nothing else:
 * a service can repeat a secret in any form.
 */
export function closedMessage(body: unknown): ShownMessage {
  return (response) => {
    const parsed = parseJson(response.body.bytes);
    const of = (name: string) => parsed.ok && memberOf(parsed.value, name);
    const code = errorCodes.find((each) => each === of('errorCode') || each === of('error'));
    const named = String(of('message')).matchAll(/\bpropert(?:y|ies)(?: not allowed)?:? (\w[\w.[\]-]*)/gi);
    const names = new Set(Array.from(named, ([, name = '']) => name.replace(/\.$/, '')));
    const paths = placesIn(body).flatMap(([path]) => (names.has(path) ? [path] : []));
    return [code, paths.length > 0 && `on property ${paths.join(', ')}`].filter(Boolean).join(' ') || null;
  };
}

/** Every place in a body as the service writes it, such as `permissions[0].permission_name`, with its text. */
function placesIn(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const below = (name: string) => (Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`);
  return [[path, ''], ...Object.entries(value).flatMap(([name, child]) => placesIn(child, path + below(name)))];
}

/** The message for an error, for decisions; null if the body does not have the assumed shape. */
export function messageOf({ body }: HttpResponse): string | null {
  const parsed = parseJson(body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value)) return null;
  return (parsed.value.message ?? parsed.value.error).trim() || null;
}

/**
 * The body of an error response. Its shape is an assumption (public facts 6.1). Nothing is concluded from it except that
 * an item of a delete is gone, and a body of another shape leaves that unknown.
 */
export const errorBody = shape<ServiceError>('error.schema.json', validateError);
