import { InternalError } from './internal-error.ts';
import type { Action, ActionName } from './plan.generated.ts';

/**
 * When actions are performed.
 *
 * Across all kinds, grants come first, then changes, then revocations: at every moment a role has at least the
 * permissions that it both had before and is declared to have. Within a stage, an action comes after those that it
 * needs. Actions of one level are independent.
 *
 *   create role, add (needs the role), update stream, remove, delete
 *   -> [create role] [add] [update stream] [remove, delete]
 */
const stages: Readonly<Record<ActionName, number>> = { create: 0, add: 0, update: 1, put: 1, remove: 2, delete: 2 };

/**
 * A delete is only sent if every create of its kind is done: a renamed item is a create and a delete. This is a
 * rule and not an entry in `needs`, because every delete would have to list all creates.
 */
export const replacedBy: Readonly<Partial<Record<ActionName, ActionName>>> = { delete: 'create' };

/**
 * Sent on a recent reading only, because it may undo what others did meanwhile. A POST undoes nothing; a PATCH may
 * replace a complete list.
 */
export function overwrites({ request }: Pick<Action, 'request'>): boolean {
  return request.method !== 'POST';
}

type Scheduled = Pick<Action, 'id' | 'action' | 'needs'>;

/**
 * Actions in the levels in which they may be performed, each in the given order. Needs that are not among them are
 * ignored.
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
    const late = needed.find((other) => stages[other.action] > stages[action.action]);
    if (late !== undefined) throw new InternalError(`${action.id} needs ${late.id}, which comes after it`);
    const earlier = needed.filter((other) => stages[other.action] === stages[action.action]).map(depthOf);
    const depth = Math.max(-1, ...earlier) + 1;
    depths.set(action.id, depth);
    return depth;
  };
  const byStage = new Map<number, Map<number, Each[]>>();
  for (const action of actions) {
    const stage = stages[action.action];
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
  for (const { id, action, needs } of actions) {
    const missing = needs.find((need) => !before.has(need));
    if (missing !== undefined) return `${id} needs ${missing}, which does not come before it`;
    if (before.has(id)) return `two actions have the id ${id}`;
    if (stages[action] < stage) return `${id} comes after an action that is performed later`;
    before.add(id);
    stage = stages[action];
  }
  return null;
}

function inOrder<Value>(byNumber: ReadonlyMap<number, Value>): Value[] {
  return [...byNumber].sort(([one], [other]) => one - other).map(([, value]) => value);
}

const waiting = -1;
