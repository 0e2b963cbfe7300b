/**
 * Responses that are not true. Of something that is not the service: a proxy, a router, a login page, a queue acknowledge the
 * request, and usually nothing was performed. And of the service itself: its own success, with the stored item, for what is never
 * performed, undone at once, or performed later.
 */

import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { scheduleFaults } from '../../src/embedded-tenant/faults/inject-fault.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';

export const lieNames = [
  'nothing',
  'empty',
  'error in JSON',
  'proxy page',
  'login page',
  'accepted',
  'several statuses',
  'router page',
  'router JSON',
] as const;

/** The service's own success for something else than what happens. */
export const falseSuccesses = ['never performed', 'undone', 'performed late'] as const;
export type FalseSuccess = (typeof falseSuccesses)[number];
export type LieName = (typeof lieNames)[number] | FalseSuccess;

export interface Lie extends Pick<FaultRule, 'operation' | 'nth' | 'every' | 'times'> {
  readonly name: LieName;
  /** Whether the request is performed all the same. */
  readonly performs: boolean;
  /** Milliseconds until it is performed. */
  readonly lateMs?: number;
}

/** Lies that no client can recognize by the response: it is what the operation itself may return. */
export const silentLies: ReadonlySet<LieName> = new Set(['nothing', 'empty', ...falseSuccesses]);

export function isFalseSuccess(name: LieName): name is FalseSuccess {
  return falseSuccesses.some((one) => one === name);
}

const html = { 'Content-Type': 'text/html; charset=utf-8' };
const json = { 'Content-Type': 'application/json; charset=utf-8' };
const responses: Readonly<Record<Exclude<LieName, FalseSuccess>, () => Response>> = {
  nothing: () => new Response(null, { status: 204 }),
  empty: () => new Response('', { status: 200 }),
  'error in JSON': () => new Response('{"error":"upstream_unavailable"}', { status: 200, headers: json }),
  'proxy page': () => new Response('<!doctype html><title>Back soon</title>', { status: 200, headers: html }),
  'login page': () =>
    new Response('<!doctype html><form action="/login"><input name="password"></form>', { status: 200, headers: html }),
  accepted: () => new Response('{}', { status: 202, headers: json }),
  'several statuses': () => new Response('{"results":[{"status":423}]}', { status: 207, headers: json }),
  'router page': () => new Response('404 page not found\n', { status: 404, headers: { 'Content-Type': 'text/plain' } }),
  'router JSON': () => new Response('{"message":"no Route matched with those values"}', { status: 404, headers: json }),
};

/** Null for the service's own response. */
export function responseOf({ name }: Lie): Response | null {
  return isFalseSuccess(name) ? null : responses[name]();
}

/** The lie for a request of an operation, or null. Every call counts as one request. */
export function scheduleLies(lies: readonly Lie[]): (operation: string | null) => Lie | null {
  const byRule = new Map<FaultRule, Lie>(lies.map((lie) => [{ ...lie, kind: 'status' }, lie]));
  const next = scheduleFaults([...byRule.keys()]);
  return (operation) => {
    const rule = operation === null ? null : next(operation);
    return rule === null ? null : (byRule.get(rule) ?? null);
  };
}

const patterns = tenantResources
  .flatMap(({ routes }) => routes)
  .map(({ operation: { id, method, path } }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The operation of a request; `path` is below the base URL. */
export function operationOf(method: string, path: string): string | null {
  return patterns.find((one) => one.method === method && one.pattern.test(path))?.id ?? null;
}
