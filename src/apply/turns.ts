import type { Action } from '../model/plan.generated.ts';
import { stageOf } from '../model/stage.ts';
import { itemOf } from './item-of.ts';

/** Of one kind, because kinds may have quotas of their own; how many of them really are under way, the gate of the client decides. */
const together = 16;

/** Runs of actions that have their turn together. */
export function stagesOf(actions: readonly Action[]): Action[][] {
  const stages: Action[][] = [];
  let last: number | null = null;
  for (const action of actions) {
    const stage = stageOf(action.action);
    if (stage === last) stages.at(-1)?.push(action);
    else stages.push([action]);
    last = stage;
  }
  return stages;
}

/** Attempts all actions, several items of each kind at once; an action waits for those of the same item that are before it. */
export async function inLanes(actions: readonly Action[], attempt: (action: Action) => Promise<void>): Promise<void> {
  await Promise.all(
    [...groupedBy(actions, ({ kind }) => kind)].map((ofKind) => someAtOnce(groupedBy(ofKind, itemOf), attempt)),
  );
}

/** Attempts the actions of each lane in their order. */
async function someAtOnce(
  lanes: Iterable<readonly Action[]>,
  attempt: (action: Action) => Promise<void>,
): Promise<void> {
  const waiting = lanes[Symbol.iterator]();
  const worker = async () => {
    for (let lane = waiting.next(); !lane.done; lane = waiting.next()) {
      for (const action of lane.value) await attempt(action);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
}

/** In the order in which the groups begin. */
function groupedBy(actions: Iterable<Action>, nameOf: (action: Action) => string): Iterable<readonly Action[]> {
  const groups = new Map<string, Action[]>();
  for (const action of actions) {
    const name = nameOf(action);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [action]);
    else group.push(action);
  }
  return groups.values();
}
