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
  const byId = new Map(actions.map((action) => [action.id, action]));
  const depths = new Map<string, number>();
  const depthOf = (action: Each): number => {
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
  const levels = new Map<string, { readonly stage: number; readonly depth: number; readonly actions: Each[] }>();
  for (const action of actions) {
    const [stage, depth] = [stages[action.action], depthOf(action)];
    const level = levels.get(`${stage} ${depth}`);
    if (level === undefined) levels.set(`${stage} ${depth}`, { stage, depth, actions: [action] });
    else level.actions.push(action);
  }
  return [...levels.values()]
    .sort((one, other) => one.stage - other.stage || one.depth - other.depth)
    .map((level) => level.actions);
}

const waiting = -1;
