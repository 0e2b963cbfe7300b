/** The only place that knows the routing library: rows in, a function from request to response out. */
import { Hono } from 'hono';
import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { Operation } from '../../model/operation.ts';
import { errorReply, toResponse } from './response.ts';

export interface Doors {
  operation(
    operation: Operation,
    request: Request,
    params: Readonly<Record<string, string>>,
    exchange: Exchange,
  ): Promise<Response>;
  token(request: Request, exchange: Exchange): Promise<Response>;
}

/** What a request turns out to be while it is answered; for the journal and for the socket. */
export interface Exchange {
  operation: string | null;
  body?: unknown;
  breakage: 'reset' | 'cut' | 'hang' | null;
}

export type Route = (request: Request, exchange: Exchange) => Promise<Response>;

const basePath = '/api/v2';

export function createRouter(operations: readonly Operation[], doors: Doors): Route {
  const app = new Hono<{ Bindings: Exchange }>();
  for (const operation of operations) {
    app.on(operation.method, patternOf(operation), (context, next) =>
      context.req.method === operation.method
        ? doors.operation(operation, context.req.raw, context.req.param(), context.env)
        : next(),
    );
  }
  for (const [pattern, methods] of methodsByPattern(operations)) app.all(pattern, () => wrongMethod(methods));
  for (const path of tokenEndpoint.paths) {
    app.on(tokenEndpoint.method, path, (context) => doors.token(context.req.raw, context.env));
    app.all(path, () => wrongMethod([tokenEndpoint.method]));
  }
  app.notFound(() => toResponse(errorReply(404, 'Not Found')));
  app.onError((error) => toResponse(errorReply(500, error.message)));
  return async (request, exchange) => app.fetch(request, exchange);
}

function patternOf(operation: Operation): string {
  return basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPattern(operations: readonly Operation[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, readonly string[]>();
  for (const operation of operations) {
    const pattern = patternOf(operation);
    methods.set(pattern, [...(methods.get(pattern) ?? []), operation.method]);
  }
  return methods;
}

function wrongMethod(methods: readonly string[]): Response {
  return toResponse(errorReply(405, 'Method Not Allowed', {}, { Allow: methods.join(', ') }));
}
