import { InternalError } from './internal-error.ts';
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

type Scheduled = Pick<Action, 'id' | 'action' | 'needs'>;

/**
 * The order of a plan: actions in levels by stage, and within a stage by their needs, each in the given order. Needs that
 * are not among them are ignored. An apply is free to be faster, as long as each kind keeps its stages (src/apply/schedule.ts).
 *
 *   create role, add (needs the role), update stream, remove, delete
 *   -> [create role] [add] [update stream] [remove, delete]
 */
export function levelsOf<Each extends Scheduled>(actions: readonly Each[]): Each[][] {
  // Most actions need none, and a plan can have 100,000.
  const needs = actions.some((action) => action.needs.length > 0);
  const byId = new Map(needs ? actions.map((action) => [action.id, action]) : []);
  const depths = new Map<string, number>();
  const depthOf = (action: Each): number => {
    if (action.needs.length === 0) return 0;
    const known = depths.get(action.id);
    if (known === waiting) throw new InternalError(`${action.id} needs itself`);
    if (known !== undefined) return known;
    depths.set(action.id, waiting);
    const needed = action.needs.flatMap((id) => byId.get(id) ?? []);
    const late = needed.find((other) => stageOf(other) > stageOf(action));
    if (late !== undefined) throw new InternalError(`${action.id} needs ${late.id}, which comes after it`);
    const earlier = needed.filter((other) => stageOf(other) === stageOf(action)).map(depthOf);
    const depth = Math.max(-1, ...earlier) + 1;
    depths.set(action.id, depth);
    return depth;
  };
  const byStage = new Map<number, Map<number, Each[]>>();
  for (const action of actions) {
    const stage = stageOf(action);
    const byDepth = byStage.get(stage) ?? new Map<number, Each[]>();
    byStage.set(stage, byDepth);
    const depth = depthOf(action);
    const level = byDepth.get(depth);
    if (level === undefined) byDepth.set(depth, [action]);
    else level.push(action);
  }
  return inOrder(byStage).flatMap(inOrder);
}

/** Why a plan cannot have these actions in this order; null if it can. */
export function orderProblem(actions: readonly Scheduled[]): string | null {
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

function inOrder<Value>(byNumber: ReadonlyMap<number, Value>): Value[] {
  return [...byNumber].sort(([one], [other]) => one - other).map(([, value]) => value);
}

const waiting = -1;
