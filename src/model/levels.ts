import type { Action, ActionName } from './plan.generated.ts';

/** Of a kind, grants come first, then changes, then revocations. */
const stages: Readonly<Record<ActionName, number>> = { create: 0, add: 0, update: 1, put: 1, remove: 2, delete: 2 };

export function stageOf({ action }: Pick<Action, 'action'>): number {
  return stages[action];
}

/** Whether an action removes something, so that what replaces it must be there before. */
export function isRemoval(action: Pick<Action, 'action'>): boolean {
  return stageOf(action) === stages.delete;
}

/**
 * Sent on a recent reading only, because it may undo what others did meanwhile. A POST undoes nothing; a PATCH may
 * replace a complete list.
 */
export function overwrites({ request }: Pick<Action, 'request'>): boolean {
  return request.method !== 'POST';
}

/** Why a plan cannot have these actions in this order; null if it can. */
export function orderProblem(actions: readonly Pick<Action, 'id' | 'action' | 'needs'>[]): string | null {
  const before = new Set<string>();
  let stage = 0;
  for (const action of actions) {
    const { id, needs } = action;
    const missing = needs.find((need) => !before.has(need));
    if (missing !== undefined) return `${id} needs ${missing}, which does not come before it`;
    if (before.has(id)) return `two actions have the id ${id}`;
    if (stageOf(action) < stage) return `${id} comes after an action that is performed later`;
    before.add(id);
    stage = stageOf(action);
  }
  return null;
}
