import type { Plan, PlanSummary } from '../model/plan.generated.ts';

/** How many actions and findings a plan has. */
export function countsOf({ actions, findings }: Pick<Plan, 'actions' | 'findings'>): Omit<PlanSummary, 'unreadable'> {
  const counts = { create: 0, update: 0, delete: 0, add: 0, remove: 0, put: 0 };
  for (const { action } of actions) counts[action] += 1;
  return { ...counts, findings: findings.length, requests: actions.length };
}
