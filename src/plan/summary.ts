import { isDifference } from '../model/findings.ts';
import type { Plan, PlanSummary } from '../model/plan.generated.ts';

/** True when a difference is proven. A request planned because a kind cannot be read proves none. */
export function hasDrift(plan: Plan): boolean {
  const { actions, findings } = plan;
  return actions.some(({ reason }) => reason !== 'unreadable') || findings.some(isDifference);
}

/** True if apply would do something, or if a declared item differs and no action can correct it. */
export function isOutOfSync({ actions, findings }: Plan): boolean {
  return actions.length > 0 || findings.some((finding) => isDifference(finding) && finding.source !== null);
}

/** True if items of the files were left out of the plan because of an error that only the tenant shows. */
export function hasErrors({ findings }: Pick<Plan, 'findings'>): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** How many actions and findings a plan has. */
export function countsOf({ actions, findings }: Pick<Plan, 'actions' | 'findings'>): Omit<PlanSummary, 'unreadable'> {
  const counts = { create: 0, update: 0, delete: 0, add: 0, remove: 0, put: 0 };
  for (const { action } of actions) counts[action] += 1;
  return { ...counts, findings: findings.length, requests: actions.length };
}
