import { STATUS_CODES } from 'node:http';
import type { Operation, Shape } from '../../model/operation.ts';
import type { RouteResponse } from '../../model/tenant-resource.ts';
import { describeViolation, violationsOf } from './describe-violation.ts';

/** A response before it is serialized, so that it can be validated and corrupted. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; absent for an empty body. */
  readonly body?: unknown;
  /** A body that is not JSON. */
  readonly text?: string;
}

/** The error format of the API. Assumed: the service specification does not show it (7). */
export function errorResponse(
  status: number,
  message: string,
  fields: { readonly errorCode?: string; readonly attributes?: object } = {},
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return { status, headers, body: { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message, ...fields } };
}

export function toResponse(response: ServiceResponse): Response {
  const headers = new Headers(response.headers);
  if (response.body !== undefined) headers.set('Content-Type', 'application/json; charset=utf-8');
  const text = response.body === undefined ? (response.text ?? null) : JSON.stringify(response.body);
  return new Response(text, { status: response.status, headers });
}

/** The tenant itself failed; the client gets the cause. */
export function internalError(error: Error): ServiceResponse {
  return errorResponse(500, error.message);
}

/**
 * Validates what a route returned. Throws if the embedded tenant itself broke a schema: the client gets a 500 with the
 * broken rule. A refusal needs no check: its body is always built in the error format.
 */
export function checkResponse(operation: Operation, response: RouteResponse): void {
  if ('message' in response) return;
  const isGone = response.status === operation.goneStatus;
  if (response.status !== operation.success && !isGone)
    throw new Error(`The response to ${operation.id} has status ${response.status} instead of ${operation.success}.`);
  if (operation.response !== undefined) checkResponseBody(operation.response, response.body);
  else if (response.body !== undefined && !operation.async)
    throw new Error(`The response to ${operation.id} has a body, but the operation allows none.`);
}

export function checkResponseBody(shape: Shape<unknown>, body: unknown): void {
  const [violation] = violationsOf(shape, body, 1);
  if (violation !== undefined)
    throw new Error(`The response body violates ${shape.schema}: ${describeViolation(violation)}.`);
}
