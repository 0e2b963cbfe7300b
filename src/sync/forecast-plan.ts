import type { Forecast } from '../model/forecast.ts';
import type { Operation } from '../model/operation.ts';
import type { Plan } from '../model/plan.generated.ts';
import { type Quota, tenantQuota } from '../model/quota.ts';
import { forecast } from '../plan/forecast.ts';
import type { Session } from './connected.ts';

/** How long an apply takes at the quota that the options name, or at the one that the tenant advertises. */
export function forecastPlan(plan: Plan, { options, connection, reads: responses }: Session): Forecast {
  const operations = options.kinds.flatMap((kind) => kind.operations);
  const quotas =
    options.quota === undefined
      ? connection.quotas()
      : [{ group: tenantQuota, ...options.quota }, ...publishedQuotas(operations)];
  const reads = new Map<string, number>();
  for (const [id, count] of responses) {
    const group = operations.find((operation) => operation.id === id)?.quota ?? tenantQuota;
    reads.set(group, (reads.get(group) ?? 0) + count);
  }
  return forecast({ actions: plan.actions, operations, reads, quotas });
}

/** The quotas that endpoint groups have on published plans, once each. */
function publishedQuotas(operations: readonly Operation[]): Quota[] {
  const quotas = operations.flatMap(({ quota: group, publishedRate }) =>
    group === undefined || publishedRate === undefined ? [] : [{ group, ...publishedRate }],
  );
  return [...new Map(quotas.map((quota) => [quota.group, quota])).values()];
}
