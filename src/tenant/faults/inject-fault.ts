/** What a fault makes of an answer. It comes after the own-answer check, which must not see it. */
import type { Paging } from '../../model/operation.ts';
import type { Reply } from '../http/response.ts';
import { errorReply } from '../http/response.ts';
import { rateLimitHeaders } from '../http/token-bucket.ts';
import type { FaultRule } from './fault-rule.ts';

/** How the connection breaks: at once, in the middle of the answer, or never with an answer. */
export type Breakage = 'reset' | 'cut' | 'hang';

export function breakageOf(fault: FaultRule): Breakage | null {
  return fault.kind === 'reset' || fault.kind === 'cut' || fault.kind === 'hang' ? fault.kind : null;
}

/** True when the request is not performed at all. */
export function replacesRequest(fault: FaultRule): boolean {
  return fault.after !== 'commit' && ['status', 'reset', 'html', 'hang'].includes(fault.kind);
}

export interface SpoilContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The limit that a rehearsed 429 names. */
  readonly limit: number;
  readonly paging: Paging | undefined;
  /** The request's cursor. */
  readonly from: string | null;
}

export function spoilReply(fault: FaultRule, reply: Reply, context: SpoilContext): Reply {
  switch (fault.kind) {
    case 'status':
      return statusReply(fault.status ?? 500, context);
    case 'html':
      return {
        status: 200,
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
        text: '<!doctype html><title>Maintenance</title><h1>Back soon</h1>\n',
      };
    case 'repeat_cursor':
      return context.from === null ? reply : respelled(reply, (page) => ({ ...page, next: context.from }));
    case 'repeat_id':
      return changedItems(reply, context, (items) =>
        items.length < 2 ? [...items, ...items] : [...items.slice(0, -1), items[0]],
      );
    case 'drop_item':
      return changedItems(reply, context, (items) => items.slice(1));
    case 'bad_item':
      return changedItems(reply, context, (items) => [{}, ...items.slice(1)]);
    default:
      return reply;
  }
}

function statusReply(status: number, { now, limit }: SpoilContext): Reply {
  if (status < 400) return { status, headers: {} };
  const headers = status === 429 ? rateLimitHeaders(limit, 0, now + 1000) : {};
  return errorReply(
    status,
    'A rehearsed fault',
    { errorCode: status === 429 ? 'too_many_requests' : 'rehearsed_fault' },
    headers,
  );
}

function changedItems(
  reply: Reply,
  { paging }: SpoilContext,
  change: (items: readonly unknown[]) => readonly unknown[],
): Reply {
  return respelled(reply, (page) => {
    const items = paging === undefined ? undefined : page[paging.items];
    return paging !== undefined && Array.isArray(items) ? { ...page, [paging.items]: change(items) } : page;
  });
}

function respelled(reply: Reply, change: (page: Readonly<Record<string, unknown>>) => object): Reply {
  if (reply.status !== 200 || typeof reply.body !== 'object' || reply.body === null) return reply;
  return { ...reply, body: change({ ...reply.body }) };
}
