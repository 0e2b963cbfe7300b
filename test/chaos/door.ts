/**
 * The embedded tenant behind a loopback socket that keeps the whole history: every request with the state before and after it. What
 * a schedule wants to happen at the n-th request happens here, while the request waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { TenantResource, TenantRoute } from '../../src/model/tenant-resource.ts';
import { tenantResources } from '../../src/resources/tenant-resources.ts';
import type { Tenant } from '../../src/tenant/create-tenant.ts';
import { prepareTenant } from '../../src/tenant/create-tenant.ts';
import type { FaultRule } from '../../src/tenant/faults/fault-rule.ts';
import { type ConnectionFault, type NextFault, scheduleFaults } from '../../src/tenant/faults/inject-fault.ts';
import type { Rate } from '../../src/tenant/http/token-bucket.ts';
import { testKeys } from '../support/start-tenant.ts';
import type { RequestStep, Step } from './history.ts';
import type { Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How the tenant behind the door behaves. */
export interface Manners {
  readonly faults: readonly FaultRule[];
  readonly rate: Rate | null;
  /** Seconds. */
  readonly tokenLifetime: number;
}

/** Requests of the API so far, the one in hand included; `write` counts writes alone and is null for a reading. */
export interface Visit {
  readonly request: number;
  readonly write: number | null;
}

/** What may happen to a request of the API: when it has arrived, when it is carried out, and when its answer is on its way. */
export interface Visitors {
  /** A rejection ends it here, without an answer. */
  arrived?(visit: Visit): Promise<void> | void;
  performed?(visit: Visit): Promise<void> | void;
  answered?(visit: Visit): Promise<void> | void;
  /** Whether an intent for a write is on disk now; null where no journal is asked for. */
  intended?(method: string, path: string): boolean | null;
}

export interface Door {
  readonly baseUrl: string;
  /** Another tenant with the state of the last one; its history begins anew. */
  open(manners: Manners): Promise<void>;
  /** From now on these come, and requests are counted anew. */
  receive(visitors: Visitors): void;
  snapshot(): Seed;
  /** Changes the state as somebody else would. */
  change(mutate: (state: Seed) => void): Promise<void>;
  /** The steps since the last call. */
  takeSteps(): Step[];
  /** Texts of access tokens that were given out. */
  readonly tokens: ReadonlySet<string>;
  /** Faults that hit, by kind, over all tenants of the door. */
  readonly hits: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** The states before and after the request in hand. One for all doors: every one that there ever was costs every promise. */
const visits = new AsyncLocalStorage<{ before: Seed; after: Seed }>();

/** How long a request hangs before its connection dies. */
const hangMs = 31_000;
const basePath = '/api/v2';
const idCharacters = [...'123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'];

/** Ids that the tenant makes come from `random`, so that a seed makes the same ones again. */
export async function openDoor(seed: Seed, clock: VirtualClock, random: Random): Promise<Door> {
  const keys = await testKeys();
  const newId = (prefix: string) => `${prefix}_${Array.from({ length: 21 }, () => random.pick(idCharacters)).join('')}`;
  const resources = tenantResources.map(watched);
  const tokens = new Set<string>();
  const hits = new Map<string, number>();
  let steps: Step[] = [];
  let tenant: Tenant | null = null;
  let visitors: Visitors = {};
  let count = { requests: 0, writes: 0 };
  let lastState = seed;
  const server = createServer((incoming, outgoing) => {
    clock.enter();
    void serve(incoming, outgoing)
      .catch(() => outgoing.destroy())
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
    const visit = isApi ? nextVisit(method) : null;
    const isWrite = isApi && method !== 'GET';
    const intended = isWrite ? (visitors.intended?.(method, path) ?? null) : null;
    if (visit !== null) await visitors.arrived?.(visit);
    const here = steps;
    const place = here.length;
    const states = { before: lastState, after: lastState };
    const { response, connectionFault } = await visits.run(states, () =>
      served.respond(toRequest(incoming, served.origin, body)),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!isApi) keepToken(bytes);
    const { search } = new URL(incoming.url ?? '/', served.origin);
    const status = connectionFault === null ? response.status : null;
    const about = {
      type: 'request',
      at,
      operation: isApi ? null : 'token',
      method,
      path,
      query: search,
      status,
      ...states,
      intended,
    } as const;
    const step: RequestStep = { ...about, ...(body === '' || !isApi ? {} : { body: parsed(body) }) };
    // In the order of arrival, whatever is answered first.
    here.splice(place, 0, step);
    if (visit !== null) await visitors.performed?.(visit);
    await answer(outgoing, response, bytes, connectionFault, clock);
    if (visit !== null) await visitors.answered?.(visit);
  }

  /** Requests are carried out whole, one after the other, but they may wait before that: the state is looked at right there. */
  function watched(resource: TenantResource): TenantResource {
    return {
      ...resource,
      routes: resource.routes.map((route) => ({
        ...route,
        respond: (request, context) => carriedOut(route, () => route.respond(request, { ...context, newId })),
      })),
    };
  }

  function carriedOut<Answer>({ operation }: TenantRoute, work: () => Answer): Answer {
    const states = visits.getStore();
    if (operation.method === 'GET' || states === undefined) return work();
    const before = lastState;
    const answer = work();
    lastState = sameOr(before, behind().snapshot());
    Object.assign(states, { before, after: lastState });
    return answer;
  }

  function nextVisit(method: string): Visit {
    count = { requests: count.requests + 1, writes: count.writes + (method === 'GET' ? 0 : 1) };
    return { request: count.requests, write: method === 'GET' ? null : count.writes };
  }

  function behind(): Tenant {
    if (tenant === null) throw new Error('the door has no tenant yet');
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
    async open({ faults, rate, tokenLifetime }) {
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
          if (fault !== null) hits.set(fault.kind, (hits.get(fault.kind) ?? 0) + 1);
        },
      });
      tenant = assemble(port);
      lastState = tenant.snapshot();
    },
    receive(guests) {
      visitors = guests;
      count = { requests: 0, writes: 0 };
      steps = [];
    },
    snapshot: () => behind().snapshot(),
    async change(mutate) {
      const before = behind().snapshot();
      await behind().change(mutate);
      const after = sameOr(before, behind().snapshot());
      lastState = after;
      steps.push({ type: 'foreign', before, after });
    },
    takeSteps() {
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
