import { decodeQuery } from '../../contract/query.ts';
import type { ApiLevel, Operation, Shape } from '../../model/operation.ts';
import type { TenantRequest } from '../../model/tenant-resource.ts';
import { tried } from '../../values/tried.ts';
import type { Exchange } from '../faults/inject-fault.ts';
import { describeViolation, violationsOf } from './describe-violation.ts';
import { type ReadBody, readBody } from './read-body.ts';
import type { ServiceResponse } from './response.ts';
import { errorResponse } from './response.ts';

/** A request as the router found it. */
export interface RawRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
}

/** A valid request, or the response that refuses it. `body` is the decoded body in both cases. */
export type ReadRequest =
  | { readonly request: TenantRequest; readonly body?: unknown }
  | { readonly refusal: ServiceResponse; readonly body?: unknown };

/** Validates the path, then the query, then the body; the first error is reported. */
export async function readRequest(operation: Operation, api: ApiLevel, raw: RawRequest): Promise<ReadRequest> {
  const { params, request } = raw;
  const query = decodeQuery(operation, new URL(request.url).search.slice(1));
  if (!query.ok) return { refusal: queryRefusal(undecodable(query.repeated)) };
  const body = await readBody(request, operation.body?.encodings ?? [], operation.body?.integers);
  const decoded = 'value' in body ? { body: body.value } : {};
  const refusal =
    pathRefusal(operation, api, raw) ?? queryViolation(operation, query.value) ?? bodyRefusal(operation, body);
  return refusal === null
    ? { request: { params, query: query.value, body: decoded.body }, ...decoded }
    : { refusal, ...decoded };
}

const malformedEscape = "'Malformed percent-encoding'";

function undecodable(repeated: string | null): string {
  return repeated === null ? malformedEscape : `'Parameter given more than once' on property ${repeated.slice(0, 100)}`;
}

/** The specification may allow fewer values than the public facts. */
function pathRefusal(operation: Operation, api: ApiLevel, { params, request }: RawRequest): ServiceResponse | null {
  const documented = api === 'documented' ? operation.documentedParams : undefined;
  // The router leaves a segment that it cannot decode as it is.
  const path = tried(() => decodeURIComponent(new URL(request.url).pathname));
  const violation =
    path === undefined
      ? malformedEscape
      : (firstViolation(documented, params) ?? firstViolation(operation.params, params));
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

const errorCodes = { 400: 'invalid_body', 413: 'payload_too_large', 415: 'unsupported_media_type' } as const;

function bodyRefusal({ body: shape }: Operation, body: ReadBody): ServiceResponse | null {
  if ('status' in body && body.status !== 400)
    return errorResponse(body.status, `${body.why}.`, { errorCode: errorCodes[body.status] });
  const violation = bodyViolation(shape, body);
  return violation === null
    ? null
    : errorResponse(400, `Payload validation error: ${violation}.`, { errorCode: errorCodes[400] });
}

function bodyViolation(shape: Operation['body'], body: ReadBody): string | null {
  if ('why' in body) return `'${body.why}'`;
  if ('value' in body) return firstViolation(shape, body.value);
  return shape === undefined ? null : "'Missing body'";
}

function firstViolation(shape: Shape<unknown> | undefined, value: unknown): string | null {
  const [violation] = shape === undefined ? [] : violationsOf(shape, value, 1);
  return violation === undefined ? null : describeViolation(violation);
}
