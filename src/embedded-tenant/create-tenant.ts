/**
 * The embedded tenant: the service of the specification, with its state in memory or in a file. `fetch` responds in
 * this process; `serveTenant` puts the same `respond` on a loopback socket. Faults that break a connection are returned
 * beside the response, because only the caller has the connection.
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import { createTenantKeys, originsOf } from './auth/authenticate.ts';
import type { Exchange, TenantResponse } from './faults/inject-fault.ts';
import { createRouter } from './http/create-router.ts';
import type { ServiceContext } from './http/respond-to-operation.ts';
import { createTokenBucket } from './http/token-bucket.ts';
import { hasClients, tokenClient, withTokenClients } from './kinds/token-clients.ts';
import { type LoggedRequest, redactQuery } from './request-log.ts';
import { openState } from './state/open-state.ts';
import { checkFaults, type TenantOptions } from './tenant-options.ts';

export type Tenant = ReturnType<typeof assemble>;

/**
 * Does everything that can fail; throws a TenantSetupError. The port comes later, because a socket may choose it. Tokens
 * and audiences contain it.
 */
export async function prepareTenant(options: TenantOptions): Promise<(port: number) => Tenant> {
  checkFaults(options);
  const { clock, tokenLifetime = 86_400, api = 'full' } = options;
  const { seed = {} } = options;
  const state = await openState({ ...options, seed, resources: withTokenClients(options.resources) });
  const client = (id: string) => tokenClient(state, id);
  const keys = options.keys ?? (await createTenantKeys());
  const takeToken = options.rate === undefined ? null : createTokenBucket(options.rate, clock);
  const tokens = { client, keys, tokenLifetime, usedAssertions: new Map<string, number>() };
  const context = { clock, state, api, hasClients: () => hasClients(state), takeToken, ...tokens };
  return (port) => assemble({ ...context, origins: originsOf(port) }, options);
}

const mostRequests = 10_000;

function assemble(context: ServiceContext, options: TenantOptions) {
  const { clock, state, origins } = context;
  const { latencyMs = 0 } = options;
  const requests: LoggedRequest[] = [];
  const router = createRouter(context, options);

  async function respond(request: Request): Promise<TenantResponse> {
    if (latencyMs > 0) await clock.sleep(latencyMs);
    const exchange: Exchange = { operation: null, connectionFault: null };
    const response = await router(request, exchange);
    response.headers.set('Date', new Date(clock.now()).toUTCString());
    const entry = loggedRequest(request, response, exchange);
    requests.push(entry);
    // A tenant may run for weeks.
    if (requests.length > mostRequests) requests.shift();
    options.onRequest?.(entry);
    return { response, connectionFault: exchange.connectionFault };
  }

  return {
    origin: origins.origin,
    /** Ends in /api/v2. */
    baseUrl: origins.baseUrl,
    /** What is probably a mistake in the seed. */
    warnings: context.hasClients() ? [] : [noClients],
    respond,
    /** Responds without a socket, and without connection faults. */
    fetch: async (request: Request): Promise<Response> => (await respond(request)).response,
    /** The newest requests, oldest first. */
    requests: requests as readonly LoggedRequest[],
    snapshot: state.snapshot,
    change: state.change,
    stored: state.stored,
  };
}

const noClients: Diagnostic = {
  code: 'SEED_NO_CLIENTS',
  severity: 'warning',
  message: 'The seed has no clients, so no token can be issued and every request is refused with 401.',
  hint: 'add a section "clients" to the seed, as in docs/embedded-tenant.md',
};

function loggedRequest(request: Request, response: Response, exchange: Exchange): LoggedRequest {
  const url = new URL(request.url);
  return {
    operation: exchange.operation,
    method: request.method,
    path: url.pathname,
    query: redactQuery(url.search),
    status: exchange.connectionFault === null ? response.status : null,
    ...('body' in exchange ? { body: exchange.body } : {}),
  };
}
