import { decodeQuery } from '../../contract/query.ts';
import type { ApiLevel, Operation, Shape } from '../../model/operation.ts';
import type { TenantRequest } from '../../model/tenant-resource.ts';
import { describeViolation, violationsOf } from './describe-violation.ts';
import { decodeBody, readBodyText, readContentType } from './read-body.ts';
import type { ServiceResponse } from './response.ts';
import { errorResponse } from './response.ts';

/** A valid request, or the response that refuses it. `body` is the decoded body in both cases. */
export type ReadRequest =
  | { readonly request: TenantRequest; readonly body?: unknown }
  | { readonly refusal: ServiceResponse; readonly body?: unknown };

/** A request as the router found it. */
export interface RoutedRequest {
  readonly operation: Operation;
  readonly api: ApiLevel;
  readonly params: Readonly<Record<string, string>>;
  readonly raw: Request;
}

/** Validates the path, then the query, then the body; the first error is reported. */
export async function readRequest(routed: RoutedRequest): Promise<ReadRequest> {
  const { operation, params, raw } = routed;
  const query = decodeQuery(operation, new URL(raw.url).search.slice(1));
  if (!query.ok) return { refusal: queryRefusal(undecodable(query.repeated)) };
  const body = await readBody(operation, raw);
  const decoded = 'value' in body ? { body: body.value } : {};
  const refusal = pathRefusal(routed) ?? queryViolation(operation, query.value) ?? bodyRefusal(operation, body);
  return refusal === null
    ? { request: { params, query: query.value, body: decoded.body }, ...decoded }
    : { refusal, ...decoded };
}

const malformedEscape = "'Malformed percent-encoding'";

function undecodable(repeated: string | null): string {
  return repeated === null ? malformedEscape : `'Parameter given more than once' on property ${repeated.slice(0, 100)}`;
}

/** The specification may allow fewer values than the public facts. */
function pathRefusal({ operation, api, params, raw }: RoutedRequest): ServiceResponse | null {
  const documented = api === 'documented' ? operation.documentedParams : undefined;
  const violation = isDecodable(new URL(raw.url).pathname)
    ? (firstViolation(operation.params, params) ?? firstViolation(documented, params))
    : malformedEscape;
  return violation === null
    ? null
    : errorResponse(400, `Path validation error: ${violation}.`, { errorCode: 'invalid_uri' });
}

/** The router leaves a segment that it cannot decode as it is. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function queryViolation(operation: Operation, query: Readonly<Record<string, unknown>>): ServiceResponse | null {
  const [unknownKey] = operation.query === undefined ? Object.keys(query) : [];
  if (unknownKey !== undefined) return queryRefusal(`'Additional properties not allowed: ${unknownKey.slice(0, 100)}'`);
  const violation = firstViolation(operation.query, query);
  return violation === null ? null : queryRefusal(violation);
}

function queryRefusal(violation: string): ServiceResponse {
  return errorResponse(400, `Query validation error: ${violation}.`, { errorCode: 'invalid_query_string' });
}

type ReadBody =
  | { readonly value: unknown }
  | { readonly violation: string }
  | { readonly tooLarge: true }
  | { readonly otherCharset: true }
  | { readonly empty: true };

async function readBody(operation: Operation, raw: Request): Promise<ReadBody> {
  // The HTTP adapter hides the body of a GET, so the headers are checked first.
  if (operation.body === undefined && announcesBody(raw.headers)) return { violation: 'No body is allowed' };
  const body = await readBodyText(raw);
  if (body.found === 'too_large') return { tooLarge: true };
  if (body.found === 'none') return { empty: true };
  if (operation.body === undefined) return { violation: 'No body is allowed' };
  if (body.found === 'not_utf8') return { violation: 'The body is not UTF-8' };
  const { encodings, integers } = operation.body;
  const type = readContentType(raw.headers.get('content-type'), encodings);
  if ('encoding' in type)
    return (
      decodeBody(body.text, type.encoding, integers) ?? { violation: `The body is not well-formed ${type.encoding}` }
    );
  return type.refused === 'charset'
    ? { otherCharset: true }
    : { violation: `Content-Type must be one of: ${encodings.join(', ')}` };
}

function announcesBody(headers: Headers): boolean {
  return Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
}

function bodyRefusal(operation: Operation, body: ReadBody): ServiceResponse | null {
  if ('tooLarge' in body)
    return errorResponse(413, 'The body is larger than 1 MB.', { errorCode: 'payload_too_large' });
  if ('otherCharset' in body)
    return errorResponse(415, 'The charset of the body must be UTF-8.', { errorCode: 'unsupported_media_type' });
  const violation = bodyViolation(operation, body);
  return violation === null
    ? null
    : errorResponse(400, `Payload validation error: ${violation}.`, { errorCode: 'invalid_body' });
}

function bodyViolation(
  operation: Operation,
  body: Exclude<ReadBody, { tooLarge: true } | { otherCharset: true }>,
): string | null {
  if ('violation' in body) return `'${body.violation}'`;
  if ('empty' in body) return operation.body === undefined ? null : "'Missing body'";
  return firstViolation(operation.body, body.value);
}

function firstViolation(shape: Shape<unknown> | undefined, value: unknown): string | null {
  const [violation] = shape === undefined ? [] : violationsOf(shape, value, 1);
  return violation === undefined ? null : describeViolation(violation);
}
