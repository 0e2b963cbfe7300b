/** Refusals of the embedded tenant, as the service words them. */
import type { RouteResponse } from '../model/tenant-resource.ts';

export function refused(status: number, errorCode: string, message: string): RouteResponse {
  return { status, message, errorCode };
}

/** `what` is wrong with a body: `'…' on property scopes`. */
export function badBody(what: string): RouteResponse {
  return refused(400, 'invalid_body', `Payload validation error: ${what}.`);
}

/** `what` is wrong with a query. */
export function badQuery(what: string): RouteResponse {
  return refused(400, 'invalid_query_string', `Query validation error: ${what}.`);
}
