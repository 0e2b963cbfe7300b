/** Refusals in this order: 401, 429, 403, 400, then those of the route. */
import type { ApiLevel } from '../../model/operation.ts';
import type { TenantRequest } from '../../model/tenant-resource.ts';
import type { TokenContext } from '../auth/authenticate.ts';
import { authenticate } from '../auth/authenticate.ts';
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
  return underRateLimit(context, () => respondToCaller(context, served, raw, caller.scopes));
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
  context: ServiceContext,
  served: ServedRoute,
  raw: RawRequest,
  scopes: ReadonlySet<string>,
): Promise<ServiceResponse> {
  const { operation } = served.route;
  if (!scopes.has(operation.scope))
    return errorResponse(403, `Insufficient scope, expected any of: ${operation.scope}`, {
      errorCode: 'insufficient_scope',
    });
  const read = await readRequest(operation, context.api, raw);
  if ('body' in read) raw.exchange.body = read.body;
  return 'refusal' in read ? read.refusal : perform(context, served, read.request);
}

async function perform(
  { state }: ServiceContext,
  { resource, route }: ServedRoute,
  request: TenantRequest,
): Promise<ServiceResponse> {
  const respond = () => {
    const response = route.respond(request, state.contextOf(resource));
    checkResponse(route.operation, response);
    return response;
  };
  const response = route.operation.method === 'GET' ? respond() : await state.perform(respond);
  if (!('message' in response)) return { status: response.status, headers: {}, body: response.body };
  const { status, message, ...fields } = response;
  return errorResponse(status, message, fields);
}
