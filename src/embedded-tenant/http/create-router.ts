/** The only module that knows the routing library. */
import { Hono } from 'hono';
import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { Operation } from '../../model/operation.ts';
import { groupBy } from '../../values/group-by.ts';
import { issueToken } from '../auth/issue-token.ts';
import { type Exchange, faultInjector } from '../faults/inject-fault.ts';
import { servedRoutes, type TenantOptions } from '../tenant-options.ts';
import { respondToOperation, respondToUnserved, type ServiceContext } from './respond-to-operation.ts';
import { errorResponse, internalError, type ServiceResponse, toResponse } from './response.ts';

const basePath = '/api/v2';

/** Responds by the operations that are served, and injects faults. */
export function createRouter(context: ServiceContext, options: TenantOptions) {
  const app = new Hono<{ Bindings: Exchange }>();
  const routes = servedRoutes(options);
  const withFault = faultInjector(options);
  const unserved = async (request: Request, refusal: ServiceResponse) =>
    toResponse(await respondToUnserved(context, request, refusal));
  for (const served of routes) {
    const { operation } = served.route;
    app.on(operation.method, patternOf(operation), async ({ req, env: exchange }, next) => {
      // The library routes HEAD as GET, and leaves out the body of the response (RFC 9110, 9.3.2).
      if (req.method !== operation.method && !(req.method === 'HEAD' && operation.method === 'GET')) return next();
      const raw = { request: req.raw, params: req.param(), exchange };
      return toResponse(await withFault(operation, req.raw, exchange, () => respondToOperation(context, served, raw)));
    });
  }
  for (const [pattern, served] of groupBy(routes, ({ route }) => patternOf(route.operation))) {
    const methods = served.flatMap(({ route: { operation } }) =>
      operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method],
    );
    app.all(pattern, ({ req }) => unserved(req.raw, methodNotAllowed(methods)));
  }
  for (const path of tokenEndpoint.paths) {
    app.on(tokenEndpoint.method, path, async ({ req, env: exchange }) =>
      toResponse(await withFault({ id: 'token' }, req.raw, exchange, () => issueToken(context, req.raw))),
    );
    app.all(path, () => toResponse(methodNotAllowed([tokenEndpoint.method])));
  }
  app.notFound(({ req }) => unserved(req.raw, errorResponse(404, 'Not Found')));
  app.onError((error) => toResponse(internalError(error)));
  return async (request: Request, exchange: Exchange): Promise<Response> => app.fetch(request, exchange);
}

function patternOf(operation: Operation): string {
  return basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodNotAllowed(methods: readonly string[]): ServiceResponse {
  return errorResponse(405, 'Method Not Allowed', {}, { Allow: methods.join(', ') });
}
