import type { FaultRule } from './fault-rule.ts';

/** The fault that befalls this request of an operation, if any. Every call counts as one request. */
export type NextFault = (operationId: string) => FaultRule | null;

/** All matching rules count the request; the first one that hits decides. */
export function createFaultPlan(rules: readonly FaultRule[]): NextFault {
  const counted = rules.map((rule) => ({ rule, seen: 0, hits: 0 }));

  return (operationId) => {
    const matching = counted.filter(
      ({ rule }) => rule.operation === operationId || (rule.operation === '*' && operationId !== 'token'),
    );
    for (const entry of matching) entry.seen += 1;
    const hit = matching.find(({ rule, seen, hits }) => isDue(rule, seen) && hits < mostHits(rule));
    if (hit === undefined) return null;
    hit.hits += 1;
    return hit.rule;
  };
}

function isDue(rule: FaultRule, seen: number): boolean {
  const first = rule.nth ?? rule.every ?? 1;
  return seen >= first && (seen - first) % (rule.every ?? 1) === 0;
}

function mostHits(rule: FaultRule): number {
  return rule.times ?? (rule.nth !== undefined && rule.every === undefined ? 1 : Number.POSITIVE_INFINITY);
}
