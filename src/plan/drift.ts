import { isDifference } from '../model/findings.ts';
import type { Plan } from '../model/plan.generated.ts';

/** True when a difference is proven. A request planned because a kind cannot be read proves none. */
export function hasDrift(plan: Plan): boolean {
  const { actions, findings } = plan;
  return actions.some(({ reason }) => reason !== 'unreadable') || findings.some(isDifference);
}

/** True if items of the files were left out of the plan because of an error that only the tenant shows. */
export function hasErrors({ findings }: Pick<Plan, 'findings'>): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
