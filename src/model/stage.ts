import type { ActionName } from './plan.generated.ts';

const stages: Readonly<Record<ActionName, number>> = { create: 0, add: 0, update: 1, put: 1, remove: 2, delete: 2 };

/**
 * When an action has its turn: what grants comes first (0) and what takes away comes last (2), across all kinds. So at every moment
 * of an apply a role holds at least what it held before and shall hold after.
 */
export function stageOf(action: ActionName): number {
  return stages[action];
}
