/**
 * The embedded tenant: the service of the specification, with its state in memory or in a file. `fetch` responds in
 * this process; `serveTenant` puts the same `respond` on a loopback socket. Faults that break a connection are returned
 * beside the response, because only the caller has the connection.
 */
import type { Clock } from '../model/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type ApiLevel, isAvailable, type Operation } from '../model/operation.ts';
import { createTenantKeys, originsOf } from './auth/authenticate.ts';
import { clientsOf } from './auth/clients.ts';
import { issueToken } from './auth/issue-token.ts';
import {
  connectionFaultOf,
  corruptResponse,
  type NextFault,
  replacesRequest,
  respondInProcess,
  scheduleFaults,
  type TenantResponse,
} from './faults/inject-fault.ts';
import { createRouter, type Exchange, type Handlers, type ServedRoute } from './http/create-router.ts';
import { respondToOperation, respondToUnserved, type ServiceContext } from './http/respond-to-operation.ts';
import { type ServiceResponse, toResponse } from './http/response.ts';
import { createTokenBucket } from './http/token-bucket.ts';
import { createRequestLog, type LoggedRequest, redactQuery } from './request-log.ts';
import { openState } from './state/open-state.ts';
import type { TenantSnapshot } from './state/seed.ts';
import { checkOptions, type TenantOptions } from './tenant-options.ts';

export interface Tenant {
  readonly origin: string;
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  /** What is probably a mistake in the seed. */
  readonly warnings: readonly Diagnostic[];
  /** Responds without a socket. A connection fault rejects as fetch does. */
  fetch(request: Request): Promise<Response>;
  respond(request: Request): Promise<TenantResponse>;
  /** The newest requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** A copy of the state, in the format of the seed. */
  snapshot(): TenantSnapshot;
  /** Changes the state without a request; rejects with a TenantSetupError if the result is not a valid seed. */
  change(mutate: (state: TenantSnapshot) => void): Promise<void>;
  /** Resolves when every change is stored. */
  stored(): Promise<void>;
}

/** A tenant without a socket; tokens and audiences contain `port` (default 80). Throws a TenantSetupError. */
export async function createTenant(options: TenantOptions & { readonly port?: number }): Promise<Tenant> {
  const assemble = await prepareTenant(options);
  return assemble(options.port ?? 80);
}

/** Does everything that can fail. The port comes later, because a socket may choose it. */
export async function prepareTenant(options: TenantOptions): Promise<(port: number) => Tenant> {
  checkOptions(options);
  const { clock, tokenLifetime = 86_400, api = 'full' } = options;
  const clients = clientsOf(options.resources);
  const state = await openState({
    resources: [clients, ...options.resources],
    clock,
    seed: options.seed === undefined ? {} : options.seed,
    stateFile: options.stateFile,
  });
  const client = (clientId: string) => state.get(clients).find(clientId);
  const hasClients = () => state.get(clients).hasAny();
  const keys = options.keys ?? (await createTenantKeys());
  const takeToken = options.rate === undefined ? null : createTokenBucket(options.rate, clock);
  return (port) =>
    assemble(
      { clock, state, api, client, hasClients, keys, takeToken, origins: originsOf(port), tokenLifetime },
      options,
    );
}

function assemble(context: ServiceContext, options: TenantOptions): Tenant {
  const { clock, state, origins } = context;
  const { latencyMs = 0 } = options;
  const log = createRequestLog();
  const faults: Faults = {
    next: scheduleFaults(options.faults ?? []),
    limit: options.rate?.burst ?? productionLimit,
    clock,
  };
  const router = createRouter(servedRoutes(context.api, options), createHandlers(context, faults));

  async function respond(request: Request): Promise<TenantResponse> {
    if (latencyMs > 0) await clock.sleep(latencyMs);
    const exchange: Exchange = { operation: null, connectionFault: null };
    const response = await router(request, exchange);
    response.headers.set('Date', new Date(clock.now()).toUTCString());
    const entry = loggedRequest(request, response, exchange);
    log.add(entry);
    options.onRequest?.(entry);
    return { response, connectionFault: exchange.connectionFault };
  }

  return {
    origin: origins.origin,
    baseUrl: origins.baseUrl,
    warnings: context.hasClients() ? [] : [noClients],
    respond,
    fetch: async (request) => respondInProcess(await respond(request), request.signal),
    requests: log.entries,
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

function servedRoutes(api: ApiLevel, { resources }: TenantOptions): readonly ServedRoute[] {
  return resources.flatMap((resource) =>
    resource.routes.filter(({ operation }) => isAvailable(operation, api)).map((route) => ({ resource, route })),
  );
}

interface Faults {
  readonly next: NextFault;
  /** X-RateLimit-Limit of an injected 429. */
  readonly limit: number;
  readonly clock: Clock;
}

/** Burst limit of a production tenant (public facts 6.2). */
const productionLimit = 50;

function createHandlers(context: ServiceContext, faults: Faults): Handlers {
  return {
    operation(served, request, params, exchange) {
      const onBody = (body: unknown) => {
        exchange.body = body;
      };
      const perform = () => respondToOperation(context, served, { request, params, onBody });
      const { operation } = served.route;
      return respondWithFault(faults, { id: operation.id, operation, request, exchange, perform });
    },
    token(request, exchange) {
      const perform = () => issueToken(context, request);
      return respondWithFault(faults, { id: 'token', operation: null, request, exchange, perform });
    },
    async unserved(request, refusal) {
      return toResponse(await respondToUnserved(context, request, refusal));
    },
  };
}

interface Task {
  readonly id: string;
  readonly operation: Operation | null;
  readonly request: Request;
  readonly exchange: Exchange;
  readonly perform: () => Promise<ServiceResponse>;
}

async function respondWithFault({ clock, next, limit }: Faults, task: Task): Promise<Response> {
  task.exchange.operation = task.id;
  const fault = next(task.id);
  if (fault === null) return toResponse(await task.perform());
  if (fault.kind === 'delay') await clock.sleep(fault.ms ?? 0);
  const response = replacesRequest(fault) ? { status: 200, headers: {} } : await task.perform();
  task.exchange.connectionFault = connectionFaultOf(fault);
  const from = new URL(task.request.url).searchParams.get('from');
  return toResponse(
    corruptResponse(fault, response, { now: clock.now(), limit, paging: task.operation?.paging, from }),
  );
}

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
