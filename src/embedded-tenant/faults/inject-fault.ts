/**
 * When a fault is due, and what it does to a response or its connection. Faults are injected after the response is
 * validated.
 */
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Paging } from '../../model/operation.ts';
import { errorResponse, type ServiceResponse } from '../http/response.ts';
import { rateLimitHeaders } from '../http/token-bucket.ts';
import type { TenantOptions } from '../tenant-options.ts';
import type { FaultKind, FaultRule } from './fault-rule.ts';

/** The fault to inject into this request of an operation, or null. Every call counts as one request. */
export type NextFault = (operationId: string) => FaultRule | null;

/** Every matching rule counts the request; the first rule that is due applies. */
export function scheduleFaults(rules: readonly FaultRule[]): NextFault {
  const counters = rules.map((rule) => ({ rule, seen: 0, hits: 0 }));

  return (operationId) => {
    const matching = counters.filter(
      ({ rule }) => rule.operation === operationId || (rule.operation === '*' && operationId !== 'token'),
    );
    for (const entry of matching) entry.seen += 1;
    const hit = matching.find(({ rule, seen, hits }) => isDue(rule, seen) && hits < maxHits(rule));
    if (hit === undefined) return null;
    hit.hits += 1;
    return hit.rule;
  };
}

function isDue(rule: FaultRule, seen: number): boolean {
  const first = rule.nth ?? rule.every ?? 1;
  return seen >= first && (seen - first) % (rule.every ?? 1) === 0;
}

function maxHits(rule: FaultRule): number {
  return rule.times ?? (rule.nth !== undefined && rule.every === undefined ? 1 : Number.POSITIVE_INFINITY);
}

const connectionFaults = ['reset', 'cut', 'hang'] as const;

/** How the connection fails: closed before the response, closed in the middle of it, or no response at all. */
export type ConnectionFault = (typeof connectionFaults)[number];

/** What becomes known about a request while it is handled: for the request log and the socket. */
export interface Exchange {
  operation: string | null;
  body?: unknown;
  connectionFault: ConnectionFault | null;
}

/** Burst limit of a production tenant (public facts 6.2). */
const productionLimit = 50;

/** Responds to requests of operations, and injects what is due of the faults. */
export function faultInjector({ faults = [], rate, clock }: Pick<TenantOptions, 'faults' | 'rate' | 'clock'>) {
  const nextFault = scheduleFaults(faults);
  const limit = rate?.burst ?? productionLimit;
  return async (
    { id, paging }: { readonly id: string; readonly paging?: Paging },
    request: Request,
    exchange: Exchange,
    perform: () => Promise<ServiceResponse>,
  ): Promise<ServiceResponse> => {
    exchange.operation = id;
    const fault = nextFault(id);
    if (fault === null) return perform();
    if (fault.kind === 'delay') await clock.sleep(fault.ms ?? 0);
    const isReplaced = fault.after !== 'commit' && ['status', 'reset', 'html', 'hang'].includes(fault.kind);
    const response = isReplaced ? { status: 200, headers: {} } : await perform();
    exchange.connectionFault = connectionFaults.find((kind) => kind === fault.kind) ?? null;
    if (fault.kind === 'status') return statusResponse(fault.status ?? 500, limit, clock.now());
    const from = new URL(request.url).searchParams.get('from');
    return corruptResponse(fault.kind, response, paging?.items, from);
  };
}

/** `items`: their key in a page. `from`: the cursor of the request. */
function corruptResponse(
  fault: FaultKind,
  response: ServiceResponse,
  items: string | undefined,
  from: string | null,
): ServiceResponse {
  switch (fault) {
    case 'html':
      return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, text: maintenance };
    case 'repeat_cursor':
      return from === null ? response : changedBody(response, (page) => ({ ...page, next: from }));
    case 'repeat_id':
      return changedItems(response, items, (listed) =>
        listed.length < 2 ? [...listed, ...listed] : [...listed.slice(0, -1), listed[0]],
      );
    case 'drop_item':
      return changedItems(response, items, (listed) => listed.slice(1));
    case 'bad_item':
      return changedItems(response, items, (listed) => [{}, ...listed.slice(1)]);
    default:
      return response;
  }
}

const maintenance = '<!doctype html><title>Maintenance</title><h1>Back soon</h1>\n';

function statusResponse(status: number, limit: number, now: number): ServiceResponse {
  if (status < 400) return { status, headers: {} };
  const isLimit = status === 429;
  const errorCode = isLimit ? 'too_many_requests' : 'injected_fault';
  return errorResponse(status, 'Injected fault', { errorCode }, isLimit ? rateLimitHeaders(limit, 0, now + 1000) : {});
}

function changedItems(
  response: ServiceResponse,
  key: string | undefined,
  change: (items: readonly unknown[]) => readonly unknown[],
): ServiceResponse {
  return changedBody(response, (page) => {
    const items = key === undefined ? undefined : page[key];
    return key !== undefined && Array.isArray(items) ? { ...page, [key]: change(items) } : page;
  });
}

function changedBody(
  response: ServiceResponse,
  change: (page: Readonly<Record<string, unknown>>) => object,
): ServiceResponse {
  if (response.status !== 200 || typeof response.body !== 'object' || response.body === null) return response;
  return { ...response, body: change({ ...response.body }) };
}

/** A response, and the connection fault to inject. With a fault, the response is what would have been sent. */
export interface TenantResponse {
  readonly response: Response;
  readonly connectionFault: ConnectionFault | null;
}

/** On a socket, the fault happens here, and the HTTP adapter has nothing left to send. */
export async function respondOnSocket(
  { response, connectionFault }: TenantResponse,
  outgoing: ServerResponse,
): Promise<Response> {
  if (connectionFault === null) return response;
  if (connectionFault === 'reset') outgoing.socket?.resetAndDestroy();
  if (connectionFault === 'cut') await cut(response, outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** Sends all headers and half of the body, then closes the connection. */
async function cut(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length === 0) {
    outgoing.socket?.destroy();
    return;
  }
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'Content-Length': body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroy());
}
