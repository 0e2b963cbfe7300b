import type { Plan } from '../model/plan.generated.ts';

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
export function hasDrift({ actions, findings }: Plan): boolean {
  return actions.some(({ reason }) => reason !== 'unreadable') || findings.some(({ code }) => differences.has(code));
}
