import type { Finding, Plan } from '../model/plan.generated.ts';

/**
 * Findings that are a difference between files and tenant; the others report what was kept on purpose or could not be
 * checked.
 */
const differences: ReadonlySet<string> = new Set([
  'LIVE_MISSING',
  'LIVE_DIFFERENT',
  'LIVE_UNDECLARED',
  'LIVE_UNDELETABLE',
  'LIVE_DUPLICATE',
]);

/** True when a difference is proven. A request planned because a kind cannot be read proves none. */
export function hasDrift(plan: Plan): boolean {
  const { actions, findings } = plan;
  return actions.some(({ reason }) => reason !== 'unreadable') || findings.some(isDifference);
}

/** True for a finding that is a difference, or an error that only the tenant shows. */
export function isDifference({ code, severity }: Pick<Finding, 'code' | 'severity'>): boolean {
  return differences.has(code) || severity === 'error';
}

/** True if items of the files were left out of the plan because of an error that only the tenant shows. */
export function hasErrors({ findings }: Pick<Plan, 'findings'>): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
