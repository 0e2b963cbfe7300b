/** The only module that knows the routing library. */
import { Hono } from 'hono';
import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { Operation } from '../../model/operation.ts';
import type { ConnectionFault } from '../faults/inject-fault.ts';
import type { ServedRoute } from '../tenant-options.ts';
import { errorResponse, internalError, type ServiceResponse, toResponse } from './response.ts';

export interface Handlers {
  operation(served: ServedRoute, raw: RawRequest): Promise<ServiceResponse>;
  token(request: Request, exchange: Exchange): Promise<ServiceResponse>;
  /** A path or a method that is not served. */
  unserved(request: Request, refusal: ServiceResponse): Promise<ServiceResponse>;
}

/** A request as the router found it. */
export interface RawRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
}

/** What becomes known about a request while it is handled: for the request log and the socket. */
export interface Exchange {
  operation: string | null;
  body?: unknown;
  connectionFault: ConnectionFault | null;
}

export type Router = (request: Request, exchange: Exchange) => Promise<Response>;

const basePath = '/api/v2';

export function createRouter(routes: readonly ServedRoute[], handlers: Handlers): Router {
  const app = new Hono<{ Bindings: Exchange }>();
  for (const served of routes) {
    const { operation } = served.route;
    app.on(operation.method, patternOf(operation), async ({ req, env: exchange }, next) => {
      // The library routes HEAD as GET, and leaves out the body of the response (RFC 9110, 9.3.2).
      if (req.method !== operation.method && !(req.method === 'HEAD' && operation.method === 'GET')) return next();
      return toResponse(await handlers.operation(served, { request: req.raw, params: req.param(), exchange }));
    });
  }
  for (const { route } of routes) {
    const pattern = patternOf(route.operation);
    const methods = routes.flatMap(({ route: { operation } }) =>
      patternOf(operation) === pattern ? [operation.method, ...(operation.method === 'GET' ? ['HEAD'] : [])] : [],
    );
    app.all(pattern, async ({ req }) => toResponse(await handlers.unserved(req.raw, methodNotAllowed(methods))));
  }
  for (const path of tokenEndpoint.paths) {
    app.on(tokenEndpoint.method, path, async ({ req, env }) => toResponse(await handlers.token(req.raw, env)));
    app.all(path, () => toResponse(methodNotAllowed([tokenEndpoint.method])));
  }
  app.notFound(async ({ req }) => toResponse(await handlers.unserved(req.raw, errorResponse(404, 'Not Found'))));
  app.onError((error) => toResponse(internalError(error)));
  return async (request, exchange) => app.fetch(request, exchange);
}

function patternOf(operation: Operation): string {
  return basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodNotAllowed(methods: readonly string[]): ServiceResponse {
  return errorResponse(405, 'Method Not Allowed', {}, { Allow: methods.join(', ') });
}
