/**
 * The embedded tenant behind a loopback socket that keeps the whole history: every request with the state before and after it. What
 * a schedule wants to happen at the n-th request happens here, while the request waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tenant } from '../../src/embedded-tenant/create-tenant.ts';
import { prepareTenant } from '../../src/embedded-tenant/create-tenant.ts';
import type { FaultKind, FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { TenantResponse } from '../../src/embedded-tenant/faults/inject-fault.ts';
import { type ConnectionFault, type NextFault, scheduleFaults } from '../../src/embedded-tenant/faults/inject-fault.ts';
import type { Rate } from '../../src/embedded-tenant/http/token-bucket.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { TenantSetupError } from '../../src/embedded-tenant/tenant-options.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import type {
  RouteContext,
  Stores,
  TenantRequest,
  TenantResource,
  TenantRoute,
} from '../../src/model/tenant-resource.ts';
import { memberOf } from '../../src/values/json-pointer.ts';
import { testKeys } from '../support/start-tenant.ts';
import type { RequestStep, Step } from './history.ts';
import { type Lie, operationOf, responseOf, scheduleLies } from './lies.ts';
import type { Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How the tenant behaves. */
export interface TenantBehavior {
  readonly faults: readonly FaultRule[];
  readonly rate: Rate | null;
  /** Seconds. */
  readonly tokenLifetime: number;
  readonly lies?: readonly Lie[];
  /** Most items in a page; null for as many as the client asks for. */
  readonly pageSize?: number | null;
  /** Most milliseconds that a request takes on its way, and its response on the way back: each time is drawn. */
  readonly latencyMs?: number;
  /** Milliseconds until a read shows a change. */
  readonly lagMs?: number;
}

/** Nothing goes wrong. */
export const calmTenant: TenantBehavior = { faults: [], rate: null, tokenLifetime: 86_400 };

/** The number of a request of the API, from 1. `write` counts only writes and is null for a read. */
export interface RequestNumber {
  readonly request: number;
  readonly write: number | null;
  /** Id of the operation. */
  readonly operation: string | null;
  /** Ids on a page that has another one after it; known when the request was performed. */
  readonly page?: readonly string[] | null;
}

/** Called for each request of the API: when it arrives, when it was performed, and when its response was sent. */
export interface RequestHooks {
  /** A rejection ends the request without a response. */
  arrived?(number: RequestNumber): Promise<void> | void;
  performed?(number: RequestNumber): Promise<void> | void;
  answered?(number: RequestNumber): Promise<void> | void;
  /** Whether an intent for a write is on disk now; null where no journal is asked for. */
  intended?(method: string, path: string): boolean | null | Promise<boolean>;
}

export interface RecordingTenant {
  readonly baseUrl: string;
  /** Starts another tenant with the state of the last one. */
  open(behavior: TenantBehavior): Promise<void>;
  /** Calls these hooks from now on, and counts requests from 0. */
  listen(hooks: RequestHooks): void;
  snapshot(): Seed;
  /** Changes the state as another writer would. */
  change(mutate: (state: Seed) => void): Promise<void>;
  /** The steps since the last call. */
  takeSteps(): Step[];
  /** Access tokens that were issued. */
  readonly tokens: ReadonlySet<string>;
  /** Faults that hit, by kind, over all tenants that were opened. */
  readonly hits: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** What the request in hand did. Shared by all recording tenants: every storage slows down every promise. */
const visits = new AsyncLocalStorage<{
  before: Seed;
  after: Seed;
  /** Place among all requests that were carried out and all changes by others. */
  order: number;
  fault: FaultKind | null;
  /** Whether it only looks as if it were carried out. */
  isOnlyShown: boolean;
  /** Ids that the tenant has made for it, which it gets again when it is carried out late. */
  readonly ids: string[];
  readonly isLate?: boolean;
}>();

/** Permissions of a role are many, and each is small. */
const fewestPermissions = 25;

/** How long a request hangs before its connection dies. */
const hangMs = 31_000;
const basePath = '/api/v2';
const idCharacters = [...'123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'];

/** Thrown by a hook: nobody waits for the response any more, and the request is not performed. */
export class ClientGone extends Error {}

/** Ids that the tenant makes come from `random`, so that a seed makes the same ones again. */
export async function openRecordingTenant(seed: Seed, clock: VirtualClock, random: Random): Promise<RecordingTenant> {
  const keys = await testKeys();
  const randomId = (prefix: string) =>
    `${prefix}_${Array.from({ length: 21 }, () => random.pick(idCharacters)).join('')}`;
  const ways = random.branch('ways');
  const resources = tenantResources.map(watched);
  const tokens = new Set<string>();
  const hits = new Map<string, number>();
  let steps: Step[] = [];
  let tenant: Tenant | null = null;
  let hooks: RequestHooks = {};
  let count = { requests: 0, writes: 0 };
  let lastState = seed;
  let lastOrder = 0;
  let behavior: TenantBehavior = calmTenant;
  let nextLie = scheduleLies([]);
  /** States since the tenant was opened, with the time from which they were true. */
  let versions: { readonly at: number; readonly state: Seed }[] = [];
  let failure: { readonly cause: unknown } | null = null;
  const server = createServer((incoming, outgoing) => {
    clock.enter();
    void serve(incoming, outgoing)
      .catch((cause: unknown) => {
        if (!(cause instanceof ClientGone)) failure ??= { cause };
        outgoing.destroy();
      })
      .finally(clock.leave);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const at = clock.now();
    const body = await bodyOf(incoming);
    await clock.turn(`${incoming.method} ${incoming.url} ${body}`);
    const served = behind();
    const path = new URL(incoming.url ?? '/', served.origin).pathname.replace(basePath, '');
    const method = incoming.method ?? '';
    const isApi = incoming.url?.startsWith(basePath) ?? false;
    const isWrite = isApi && method !== 'GET';
    const operation = isApi ? operationOf(method, path) : 'token';
    const number = isApi ? nextNumber(method, operation) : null;
    const asked = isWrite ? (hooks.intended?.(method, path) ?? null) : null;
    const intended = asked instanceof Promise ? await asked : asked;
    if (number !== null) await hooks.arrived?.(number);
    const here = steps;
    const place = here.length;
    const lie = isWrite ? nextLie(operation) : null;
    const isOnlyShown = lie !== null && (lie.name === 'never performed' || lie.name === 'performed late');
    const { latencyMs = 0 } = behavior;
    if (latencyMs > 0) await clock.tenant.sleep(ways.int(0, latencyMs));
    const visit = { before: lastState, after: lastState, order: lastOrder, fault: null, isOnlyShown, ids: [] };
    const again = () => toRequest(incoming, served.origin, body);
    const { response, connectionFault } = await visits.run(visit, () =>
      lie === null ? served.respond(again()) : lieTo(lie, again),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!isApi) keepToken(bytes);
    const { search } = new URL(incoming.url ?? '/', served.origin);
    const status = connectionFault === null ? response.status : null;
    const about = {
      type: 'request',
      at,
      endedAt: clock.now(),
      operation,
      method,
      path,
      query: search,
      status,
      ...withoutMark(visit),
      lie: lie?.name ?? null,
      intended,
    } as const;
    const answeredId = isWrite && method === 'POST' ? idIn(bytes) : null;
    const page = isWrite || status !== 200 ? null : pageIn(bytes);
    const step = {
      ...about,
      ...(page?.total !== undefined && { page: { ids: page.ids, total: page.total } }),
      ...(body === '' || !isApi ? {} : { body: parsed(body) }),
      ...(answeredId !== null && { answeredId }),
    } satisfies RequestStep;
    // In the order of arrival, whatever is answered first.
    here.splice(place, 0, step);
    if (number !== null) await hooks.performed?.({ ...number, page: page?.hasNext ? page.ids : null });
    if (latencyMs > 0) {
      await clock.tenant.sleep(ways.int(0, latencyMs));
      Object.assign(step, { endedAt: clock.now() });
    }
    await answer(outgoing, response, bytes, connectionFault, clock);
    if (number !== null) await hooks.answered?.(number);
  }

  /** The request is performed or not; only its own refusal is passed on as it is. */
  async function lieTo(lie: Lie, request: () => Request): Promise<TenantResponse> {
    const response = responseOf(lie);
    const own = lie.performs || response === null ? await behind().respond(request()) : null;
    if (own !== null && (own.connectionFault !== null || !own.response.ok)) return own;
    hits.set(`lie: ${lie.name}`, (hits.get(`lie: ${lie.name}`) ?? 0) + 1);
    if (lie.name === 'undone') await undo();
    if (lie.name === 'performed late') performLater(lie, request);
    return response === null && own !== null ? own : { response: response as Response, connectionFault: null };
  }

  /** Another client puts back what the request in hand has changed. */
  async function undo(): Promise<void> {
    const { before = lastState } = visits.getStore() ?? {};
    const here = steps;
    const undone = lastState;
    if (undone === before) return;
    await behind().change((state) => void Object.assign(state, structuredClone(before)));
    enterState(sameOr(before, behind().snapshot()));
    here.push({ type: 'foreign', at: clock.now(), order: lastOrder, before: undone, after: lastState });
  }

  function performLater({ lateMs = 0 }: Lie, request: () => Request): void {
    const here = steps;
    const ids = [...(visits.getStore()?.ids ?? [])];
    const late = async () => {
      await clock.tenant.sleep(lateMs);
      const visit = {
        before: lastState,
        after: lastState,
        order: lastOrder,
        fault: null,
        isOnlyShown: false,
        isLate: true,
        ids,
      };
      await visits.run(visit, () => behind().respond(request()));
      const { before, after, order } = visit;
      if (before !== after) here.push({ type: 'foreign', at: clock.now(), order, before, after });
    };
    clock.enter();
    void late().finally(clock.leave);
  }

  /** Requests are carried out whole, one after the other, but they may wait before that: the state is looked at right there. */
  function watched(resource: TenantResource): TenantResource {
    return {
      ...resource,
      routes: resource.routes.map((route) => ({
        ...route,
        respond: (request, context) =>
          carriedOut(route, () =>
            route.respond(inSmallPages(route, request, behavior.pageSize ?? null), {
              ...context,
              ...(route.operation.method === 'GET' && visibleStores(resource)),
              ...(visits.getStore()?.isOnlyShown && storesOf(resource, structuredClone(lastState))),
              newId: idFor,
            }),
          ),
      })),
    };
  }

  function idFor(prefix: string): string {
    const { ids = [], isLate = false } = visits.getStore() ?? {};
    const id = (isLate ? ids.shift() : undefined) ?? randomId(prefix);
    if (!isLate) ids.push(id);
    return id;
  }

  function carriedOut<Answer>({ operation }: TenantRoute, work: () => Answer): Answer {
    const visit = visits.getStore();
    if (visit === undefined) return work();
    const before = lastState;
    const answer = work();
    const after = operation.method === 'GET' ? before : sameOr(before, behind().snapshot());
    enterState(after);
    Object.assign(visit, { before, after, order: lastOrder });
    return answer;
  }

  function enterState(state: Seed): void {
    lastOrder += 1;
    if (state !== lastState) versions.push({ at: clock.now(), state });
    lastState = state;
  }

  /** What a read sees where changes become visible late; nothing where they are visible at once. */
  function visibleStores(resource: TenantResource): Partial<RouteContext> {
    const { lagMs = 0 } = behavior;
    if (lagMs === 0) return {};
    const seenAt = clock.now() - lagMs;
    const { state } = versions.findLast(({ at }) => at <= seenAt) ?? { state: lastState };
    return storesOf(resource, state);
  }

  function storesOf(resource: TenantResource, state: Seed): Partial<RouteContext> {
    const open: Stores['get'] = ({ section, openStore }) => openStore(Reflect.get(state, section) as never);
    return { store: open(resource), stores: { get: open } };
  }

  function nextNumber(method: string, operation: string | null): RequestNumber {
    count = { requests: count.requests + 1, writes: count.writes + (method === 'GET' ? 0 : 1) };
    return { request: count.requests, write: method === 'GET' ? null : count.writes, operation };
  }

  function behind(): Tenant {
    if (tenant === null) throw new Error('no tenant is open yet');
    return tenant;
  }

  function keepToken(bytes: Buffer): void {
    const value = parsed(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && 'access_token' in value) tokens.add(String(value.access_token));
  }

  return {
    baseUrl: `http://127.0.0.1:${port}${basePath}`,
    tokens,
    hits,
    async open(newBehavior) {
      const { faults, rate, tokenLifetime, lies = [] } = newBehavior;
      const mirror: NextFault = scheduleFaults(faults);
      const assemble = await prepareTenant({
        resources,
        seed: tenant?.snapshot() ?? seed,
        clock: clock.tenant,
        keys,
        faults,
        tokenLifetime,
        ...(rate && { rate }),
        onRequest: ({ operation }) => {
          const fault = operation === null ? null : mirror(operation);
          if (fault === null) return;
          hits.set(fault.kind, (hits.get(fault.kind) ?? 0) + 1);
          Object.assign(visits.getStore() ?? {}, { fault: fault.kind });
        },
      });
      tenant = assemble(port);
      behavior = newBehavior;
      nextLie = scheduleLies(lies);
      lastState = tenant.snapshot();
      versions = [{ at: Number.NEGATIVE_INFINITY, state: lastState }];
    },
    listen(newHooks) {
      hooks = newHooks;
      count = { requests: 0, writes: 0 };
      steps = [];
    },
    snapshot: () => behind().snapshot(),
    async change(mutate) {
      const before = behind().snapshot();
      try {
        await behind().change(mutate);
      } catch (error) {
        // The service refuses it, for example because the name is taken.
        if (error instanceof TenantSetupError) return;
        throw error;
      }
      const after = sameOr(before, behind().snapshot());
      enterState(after);
      steps.push({ type: 'foreign', at: clock.now(), order: lastOrder, before, after });
    },
    takeSteps() {
      if (failure !== null) throw failure.cause;
      const taken = steps;
      steps = [];
      return taken;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The request with a smaller page; a page with a number has the length that the response names. */
function inSmallPages({ operation }: TenantRoute, request: TenantRequest, pageSize: number | null): TenantRequest {
  const { paging, id } = operation;
  if (paging === undefined || pageSize === null) return request;
  const name = paging.style === 'cursor' ? 'take' : 'per_page';
  const query = request.query as Readonly<Record<string, number>>;
  const most = id === 'list_role_permissions' ? Math.max(pageSize, fewestPermissions) : pageSize;
  return { ...request, query: { ...query, [name]: Math.min(query[name] ?? paging.defaultTake, most) } };
}

/** Ids on a page that has another one after it, by its cursor or by its totals. */
function pageIn(bytes: Buffer) {
  const page = parsed(bytes.toString('utf8'));
  if (typeof page !== 'object' || page === null) return null;
  const items = (Object.values(page).find((value) => Array.isArray(value)) ?? []) as readonly {
    readonly id?: string;
    readonly client_id?: string;
  }[];
  const { next, start, total } = page as { readonly next?: string; readonly start?: number; readonly total?: number };
  const hasNext = next !== undefined || (start !== undefined && total !== undefined && start + items.length < total);
  return { ids: items.map((item) => item.id ?? item.client_id ?? JSON.stringify(item)), total, hasNext };
}

function idIn(bytes: Buffer): string | null {
  const item = parsed(bytes.toString('utf8'));
  const id = memberOf(item, 'id') ?? memberOf(item, 'client_id');
  return id === undefined ? null : String(id);
}

function withoutMark<Visit extends { isOnlyShown: boolean; ids: unknown }>({
  isOnlyShown: _mark,
  ids: _ids,
  ...visit
}: Visit) {
  return visit;
}

function sameOr(before: Seed, after: Seed): Seed {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function toRequest({ method = 'GET', url = '/', headers }: IncomingMessage, origin: string, body: string): Request {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Request(new URL(url, origin), { method, headers: named, ...(body !== '' && { body }) });
}

async function answer(
  outgoing: ServerResponse,
  response: Response,
  bytes: Buffer,
  connectionFault: ConnectionFault | null,
  clock: VirtualClock,
): Promise<void> {
  if (connectionFault === 'hang') await clock.tenant.sleep(hangMs);
  if (connectionFault === 'reset' || connectionFault === 'hang') {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  const headers = Object.fromEntries(response.headers);
  if (connectionFault === 'cut') {
    outgoing.writeHead(response.status, { ...headers, 'content-length': String(bytes.length) });
    outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.socket?.destroy());
    if (bytes.length === 0) outgoing.socket?.destroy();
    return;
  }
  outgoing.writeHead(response.status, headers);
  outgoing.end(bytes);
}
