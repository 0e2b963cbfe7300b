import { decodeQuery } from '../../contract/query.ts';
import type { ApiLevel, Operation, Shape } from '../../model/operation.ts';
import type { RouteResponse, TenantRequest } from '../../model/tenant-resource.ts';
import { tried } from '../../values/tried.ts';
import type { Exchange } from '../faults/inject-fault.ts';
import { badBody, badQuery, refused } from '../refused.ts';
import { describeViolation, violationsOf } from './describe-violation.ts';
import { type ReadBody, readBody } from './read-body.ts';

/** A request as the router found it. */
export interface RawRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
}

/** A valid request, or what refuses it: validates the path, then the query, then the body. The first error is reported. */
export async function readRequest(
  operation: Operation,
  api: ApiLevel,
  raw: RawRequest,
): Promise<TenantRequest | RouteResponse> {
  const { params, request, exchange } = raw;
  const query = decodeQuery(operation, new URL(request.url).search.slice(1));
  if (!query.ok) return badQuery(undecodable(query.repeated));
  const body = await readBody(request, operation.body?.encodings ?? [], operation.body?.integers);
  if ('value' in body) exchange.body = body.value;
  const refusal =
    pathRefusal(operation, api, raw) ?? queryRefusal(operation, query.value) ?? bodyRefusal(operation, body);
  return refusal ?? { params, query: query.value, body: exchange.body };
}

const malformedEscape = "'Malformed percent-encoding'";

function undecodable(repeated: string | null): string {
  return repeated === null ? malformedEscape : `'Parameter given more than once' on property ${repeated.slice(0, 100)}`;
}

/** The specification may allow fewer values than the public facts. */
function pathRefusal(operation: Operation, api: ApiLevel, { params, request }: RawRequest): RouteResponse | null {
  const documented = api === 'documented' ? operation.documentedParams : undefined;
  // The router leaves a segment that it cannot decode as it is.
  const path = tried(() => decodeURIComponent(new URL(request.url).pathname));
  const violation =
    path === undefined
      ? malformedEscape
      : (firstViolation(documented, params) ?? firstViolation(operation.params, params));
  return violation === null ? null : refused(400, 'invalid_uri', `Path validation error: ${violation}.`);
}

function queryRefusal(operation: Operation, query: Readonly<Record<string, unknown>>): RouteResponse | null {
  const [unknownKey] = operation.query === undefined ? Object.keys(query) : [];
  if (unknownKey !== undefined) return badQuery(`'Additional properties not allowed: ${unknownKey.slice(0, 100)}'`);
  const violation = firstViolation(operation.query, query);
  return violation === null ? null : badQuery(violation);
}

function bodyRefusal({ body: shape }: Operation, body: ReadBody): RouteResponse | null {
  if ('empty' in body) return shape === undefined ? null : badBody("'Missing body'");
  if ('value' in body) {
    const violation = firstViolation(shape, body.value);
    return violation === null ? null : badBody(violation);
  }
  const { status, why } = body;
  if (status === 400) return badBody(`'${why}'`);
  return refused(status, status === 413 ? 'payload_too_large' : 'unsupported_media_type', `${why}.`);
}

function firstViolation(shape: Shape<unknown> | undefined, value: unknown): string | null {
  const [violation] = shape === undefined ? [] : violationsOf(shape, value, 1);
  return violation === undefined ? null : describeViolation(violation);
}
