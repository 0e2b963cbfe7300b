import { openStores } from '../../src/embedded-tenant/state/open-state.ts';
import type { TenantSnapshot } from '../../src/embedded-tenant/state/seed.ts';
import { InternalError } from '../../src/model/internal-error.ts';
import type { RouteResponse, TenantRequest, TenantResource, TenantRoute } from '../../src/model/tenant-resource.ts';

export interface OpenRoutes {
  route(operationId: string): TenantRoute;
  respond(operationId: string, request: Partial<TenantRequest>): RouteResponse;
  snapshot(): TenantSnapshot;
}

const caller = { baseUrl: 'http://127.0.0.1/api/v2', scopes: new Set<string>() };

/** The routes of resources on one state, without HTTP, tokens and validation. */
export function openRoutes(
  resources: readonly TenantResource[],
  state: TenantSnapshot,
  now = new Date('2026-03-04T05:06:07.800Z'),
): OpenRoutes {
  const stores = openStores(resources, state, {
    now: () => now.getTime(),
    monotonic: () => 0,
    sleep: async () => undefined,
  });
  const served = resources.flatMap((resource) => resource.routes.map((route) => ({ resource, route })));
  const find = (operationId: string) => {
    const found = served.find(({ route }) => route.operation.id === operationId);
    if (found === undefined) throw new InternalError(`no route for ${operationId}`);
    return found;
  };
  return {
    route: (operationId) => find(operationId).route,
    snapshot: stores.snapshot,
    respond(operationId, request) {
      const { resource, route } = find(operationId);
      return route.respond({ params: {}, query: {}, body: undefined, ...request }, stores.contextOf(resource, caller));
    },
  };
}
