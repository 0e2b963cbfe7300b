import type { Operation } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import { type Forecast, type Quota, tenantQuota } from '../model/quota.ts';

export interface ForecastInput {
  readonly actions: readonly Pick<Action, 'request'>[];
  /** All operations, for their endpoint groups. */
  readonly operations: readonly Operation[];
  /** Requests that it took to make the plan, by endpoint group. */
  readonly reads: ReadonlyMap<string, number>;
  readonly quotas: readonly Quota[];
}

/**
 * How many requests an apply takes, and about how long at these quotas: what does not fit into a full bucket waits for
 * its refill.
 *
 *   13 requests, 2 per second after a burst of 10   ->  2 s
 *   7 texts to put, 5 a minute after a burst of 5   ->  24 s, and these are the bottleneck
 */
export function forecast({ actions, operations, reads, quotas }: ForecastInput): Forecast {
  const groupOf = new Map(operations.map(({ id, quota }) => [id, quota ?? tenantQuota]));
  const counts = new Map(reads);
  for (const { request } of actions) {
    const group = groupOf.get(request.operation) ?? tenantQuota;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const waits = quotas.map((quota) => ({
    quota,
    seconds: waitFor(quota.group === tenantQuota ? all : (counts.get(quota.group) ?? 0), quota),
  }));
  const longest = waits.reduce<(typeof waits)[number] | null>(
    (worst, wait) => (worst !== null && worst.seconds >= wait.seconds ? worst : wait),
    null,
  );
  return {
    reads: [...reads.values()].reduce((sum, count) => sum + count, 0),
    writes: actions.length,
    seconds: longest?.seconds ?? null,
    bottleneck: longest !== null && longest.seconds > 0 ? longest.quota : null,
  };
}

function waitFor(count: number, { perSecond, burst }: Quota): number {
  return Math.max(0, count - burst) / perSecond;
}
