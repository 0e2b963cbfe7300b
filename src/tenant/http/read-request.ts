import { decodeQuery } from '../../contract/query.ts';
import type { Operation, Shape } from '../../model/operation.ts';
import type { TenantRequest } from '../../model/tenant-resource.ts';
import { describeViolation, violationsOf } from './describe-violation.ts';
import { decodeBody, encodingOf, readBodyText } from './read-body.ts';
import type { ServiceResponse } from './response.ts';
import { errorResponse } from './response.ts';

/** A valid request, or the response that refuses it. `body` is the decoded body in both cases. */
export type ReadRequest =
  | { readonly request: TenantRequest; readonly body?: unknown }
  | { readonly refusal: ServiceResponse; readonly body?: unknown };

/** Validates the path, then the query, then the body; the first error is reported. */
export async function readRequest(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  raw: Request,
): Promise<ReadRequest> {
  const query = decodeQuery(operation, new URL(raw.url).searchParams);
  if (!query.ok)
    return { refusal: queryRefusal(`'Parameter given more than once' on property ${query.repeated.slice(0, 100)}`) };
  const body = await readBody(operation, raw);
  const decoded = 'value' in body ? { body: body.value } : {};
  const refusal =
    pathRefusal(operation, params) ?? queryViolation(operation, query.value) ?? bodyRefusal(operation, body);
  return refusal === null
    ? { request: { params, query: query.value, body: decoded.body }, ...decoded }
    : { refusal, ...decoded };
}

function pathRefusal(operation: Operation, params: Readonly<Record<string, string>>): ServiceResponse | null {
  const violation = firstViolation(operation.params, params);
  return violation === null
    ? null
    : errorResponse(400, `Path validation error: ${violation}.`, { errorCode: 'invalid_uri' });
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
  | { readonly empty: true };

async function readBody(operation: Operation, raw: Request): Promise<ReadBody> {
  // The HTTP adapter hides the body of a GET, so the headers are checked first.
  if (operation.body === undefined && announcesBody(raw.headers)) return { violation: 'No body is allowed' };
  const body = await readBodyText(raw);
  if (body.found === 'too_large') return { tooLarge: true };
  if (body.found === 'none') return { empty: true };
  if (operation.body === undefined) return { violation: 'No body is allowed' };
  if (body.found === 'not_utf8') return { violation: 'The body is not UTF-8' };
  const encoding = encodingOf(raw.headers.get('content-type'), operation.body.encodings);
  if (encoding === null) return { violation: `Content-Type must be one of: ${operation.body.encodings.join(', ')}` };
  return decodeBody(body.text, encoding) ?? { violation: `The body is not well-formed ${encoding}` };
}

function announcesBody(headers: Headers): boolean {
  return Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
}

function bodyRefusal(operation: Operation, body: ReadBody): ServiceResponse | null {
  if ('tooLarge' in body)
    return errorResponse(413, 'The body is larger than 1 MB.', { errorCode: 'payload_too_large' });
  const violation = bodyViolation(operation, body);
  return violation === null
    ? null
    : errorResponse(400, `Payload validation error: ${violation}.`, { errorCode: 'invalid_body' });
}

function bodyViolation(operation: Operation, body: Exclude<ReadBody, { tooLarge: true }>): string | null {
  if ('violation' in body) return `'${body.violation}'`;
  if ('empty' in body) return operation.body === undefined ? null : "'Missing body'";
  return firstViolation(operation.body, body.value);
}

function firstViolation(shape: Shape<unknown> | undefined, value: unknown): string | null {
  const [violation] = shape === undefined ? [] : violationsOf(shape, value);
  return violation === undefined ? null : describeViolation(violation);
}
