import type { Action } from '../model/plan.generated.ts';
import { stageOf } from '../model/stage.ts';
import { itemOf } from './item-of.ts';

/** As many as the client ever has under way; how many of them really are, its gate decides. */
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

/** Attempts all actions, several items at once; an action waits for those of the same item that are before it. */
export async function inLanes(actions: readonly Action[], attempt: (action: Action) => Promise<void>): Promise<void> {
  const waiting = lanesOf(actions);
  const worker = async () => {
    for (let lane = waiting.next(); !lane.done; lane = waiting.next()) {
      for (const action of lane.value) await attempt(action);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
}

/** One lane for each item, in the order of the actions. */
function lanesOf(actions: readonly Action[]): Iterator<readonly Action[]> {
  const lanes = new Map<string, Action[]>();
  for (const action of actions) {
    const item = itemOf(action);
    const lane = lanes.get(item);
    if (lane === undefined) lanes.set(item, [action]);
    else lane.push(action);
  }
  return lanes.values();
}
