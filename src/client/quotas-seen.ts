import { type Quota, tenantQuota } from '../model/quota.ts';
import type { QuotaGate } from './quota/quota-gate.ts';

/** What the gate has learned of the service's limits, as far as a forecast can use it: a limit without a known rate tells no time. */
export function quotasSeen(gate: QuotaGate): readonly Quota[] {
  return gate
    .seen()
    .flatMap(({ group, limit, perSecond }) =>
      perSecond === null ? [] : [{ group: group === '' ? tenantQuota : group, perSecond, burst: limit }],
    );
}
