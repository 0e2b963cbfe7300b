/** Refusals in this order: 401, 429, 403, 400, then those of the route. */

import type { ApiLevel } from '../../model/operation.ts';
import type { RouteResponse } from '../../model/tenant-resource.ts';
import type { TokenContext } from '../auth/authenticate.ts';
import { authenticate } from '../auth/authenticate.ts';
import { refused } from '../refused.ts';
import type { TenantState } from '../state/open-state.ts';
import type { ServedRoute } from '../tenant-options.ts';
import { type RawRequest, readRequest } from './read-request.ts';
import type { ServiceResponse } from './response.ts';
import { checkResponse, errorResponse, internalError } from './response.ts';
import type { TakeToken } from './token-bucket.ts';

export interface ServiceContext extends TokenContext {
  readonly state: TenantState;
  readonly api: ApiLevel;
  hasClients(): boolean;
  /** Null if the tenant has no rate limit. */
  readonly takeToken: TakeToken | null;
}

export async function respondToOperation(
  context: ServiceContext,
  served: ServedRoute,
  raw: RawRequest,
): Promise<ServiceResponse> {
  const caller = await authenticate(context, raw.request.headers.get('authorization'));
  if ('refusal' in caller) return caller.refusal;
  return underRateLimit(context, async () => inFormat(await respondToCaller(context, served, raw, caller.scopes)));
}

/** A path or a method that is not served. With a valid token the request counts as any other. */
export async function respondToUnserved(
  context: ServiceContext,
  request: Request,
  refusal: ServiceResponse,
): Promise<ServiceResponse> {
  const caller = await authenticate(context, request.headers.get('authorization'));
  return 'refusal' in caller ? refusal : underRateLimit(context, async () => refusal);
}

/** Every response to a valid token has the rate limit headers, a failure of the tenant itself included. */
async function underRateLimit(
  { takeToken }: ServiceContext,
  respond: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  const grant = takeToken?.() ?? { granted: true, headers: {} };
  const response = grant.granted ? await respond().catch(internalError) : tooManyRequests;
  return { ...response, headers: { ...response.headers, ...grant.headers } };
}

const tooManyRequests = errorResponse(429, 'Global limit has been reached', { errorCode: 'too_many_requests' });

async function respondToCaller(
  { state, api, origins: { baseUrl } }: ServiceContext,
  { resource, route }: ServedRoute,
  raw: RawRequest,
  scopes: ReadonlySet<string>,
): Promise<RouteResponse> {
  const { operation } = route;
  if (!scopes.has(operation.scope))
    return refused(403, 'insufficient_scope', `Insufficient scope, expected any of: ${operation.scope}`);
  const request = await readRequest(operation, api, raw);
  if ('status' in request) return request;
  const respond = () => {
    const response = route.respond(request, state.contextOf(resource, { baseUrl, scopes }));
    checkResponse(operation, response);
    return response;
  };
  return operation.method === 'GET' ? respond() : state.perform(respond);
}

function inFormat(response: RouteResponse): ServiceResponse {
  if (!('message' in response)) return { status: response.status, headers: {}, body: response.body };
  const { status, message, ...fields } = response;
  return errorResponse(status, message, fields);
}
