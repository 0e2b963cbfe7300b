/**
 * When a fault is due, and what it does to a response or its connection. Faults are injected after the response is
 * validated.
 */
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Paging } from '../../model/operation.ts';
import { errorResponse, type ServiceResponse } from '../http/response.ts';
import { rateLimitHeaders } from '../http/token-bucket.ts';
import type { FaultRule } from './fault-rule.ts';

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

/** How the connection fails: closed before the response, closed in the middle of it, or no response at all. */
export type ConnectionFault = 'reset' | 'cut' | 'hang';

export function connectionFaultOf(fault: FaultRule): ConnectionFault | null {
  return fault.kind === 'reset' || fault.kind === 'cut' || fault.kind === 'hang' ? fault.kind : null;
}

/** True if the request is not performed. */
export function replacesRequest(fault: FaultRule): boolean {
  return fault.after !== 'commit' && ['status', 'reset', 'html', 'hang'].includes(fault.kind);
}

export interface FaultContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** X-RateLimit-Limit of an injected 429. */
  readonly limit: number;
  readonly paging: Paging | undefined;
  /** Cursor of the request. */
  readonly from: string | null;
}

export function corruptResponse(fault: FaultRule, response: ServiceResponse, context: FaultContext): ServiceResponse {
  switch (fault.kind) {
    case 'status':
      return statusResponse(fault.status ?? 500, context);
    case 'html':
      return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, text: maintenance };
    case 'repeat_cursor':
      return context.from === null ? response : changedBody(response, (page) => ({ ...page, next: context.from }));
    case 'repeat_id':
      return changedItems(response, context, (items) =>
        items.length < 2 ? [...items, ...items] : [...items.slice(0, -1), items[0]],
      );
    case 'drop_item':
      return changedItems(response, context, (items) => items.slice(1));
    case 'bad_item':
      return changedItems(response, context, (items) => [{}, ...items.slice(1)]);
    default:
      return response;
  }
}

const maintenance = '<!doctype html><title>Maintenance</title><h1>Back soon</h1>\n';

function statusResponse(status: number, { now, limit }: FaultContext): ServiceResponse {
  if (status < 400) return { status, headers: {} };
  const isLimit = status === 429;
  const errorCode = isLimit ? 'too_many_requests' : 'injected_fault';
  return errorResponse(status, 'Injected fault', { errorCode }, isLimit ? rateLimitHeaders(limit, 0, now + 1000) : {});
}

function changedItems(
  response: ServiceResponse,
  { paging }: FaultContext,
  change: (items: readonly unknown[]) => readonly unknown[],
): ServiceResponse {
  return changedBody(response, (page) => {
    const items = paging === undefined ? undefined : page[paging.items];
    return paging !== undefined && Array.isArray(items) ? { ...page, [paging.items]: change(items) } : page;
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
