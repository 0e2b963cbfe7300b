import { itemId } from '../model/action-identity.ts';
import { stageOf } from '../model/levels.ts';
import type { Action } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { memoizedByObject } from '../values/memoized.ts';
import type { Reliance } from './reliance.ts';

/**
 * Items of one kind, because kinds may have quotas of their own. The rate limiter decides how many requests are in
 * flight.
 */
const workersPerKind = 16;

/**
 * Attempts every action once, in an order that removes nothing before it is replaced: each kind goes through its stages, an
 * action waits for those that it relies on, and the actions of one item follow each other. Other kinds do not wait: one
 * with a quota of five requests a minute delays no other. All items are created before anything is given to one of them:
 * what is given to a new item waits for a reading of it, and one listing serves all of them.
 *
 *   roles    [create p, create q] [add p, add q] [update r] [delete s]
 *   prompts  [put login, put signup]                                   at the same time
 *
 * `attempt` must not reject, and actions must be in an order in which they can be performed.
 */
export async function schedule(
  actions: readonly Action[],
  relied: (action: Action) => readonly Reliance[],
  attempt: (action: Action) => Promise<void>,
): Promise<void> {
  const endings = openEndings(actions, relied);
  const perform = async (item: readonly Action[]) => {
    for (const action of item) {
      await endings.before(action);
      await attempt(action);
      endings.end(action.id);
    }
  };
  const performKind = async (ofKind: readonly Action[]) => {
    const stages = [...groupBy(ofKind, turnOf)].sort(([one], [other]) => one - other);
    for (const [, stage] of stages) await together(groupBy(stage, itemId).values(), perform);
  };
  await Promise.all([...groupBy(actions, ({ kind }) => kind).values()].map(performKind));
}

function turnOf(action: Action): number {
  return action.action === 'create' ? -1 : stageOf(action);
}

/** Works on several items at once, in their order. */
async function together<Each>(items: Iterator<Each>, work: (item: Each) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let item = items.next(); !item.done; item = items.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: workersPerKind }, worker));
}

/** When actions end on which others rely. Thousands of actions may share a list of these. */
function openEndings(actions: readonly Action[], relied: (action: Action) => readonly Reliance[]) {
  const resolve = new Map<string, () => void>();
  const awaited = new Set([...new Set(actions.flatMap(relied))].flat());
  const endings = new Map(
    actions
      .filter(({ id }) => awaited.has(id))
      .map(({ id }) => [id, new Promise<void>((resolved) => resolve.set(id, resolved))]),
  );
  const of = memoizedByObject((ids: Reliance) => Promise.all(ids.map((id) => endings.get(id))));
  return {
    before: (action: Action) => Promise.all(relied(action).map(of)),
    end: (id: string) => resolve.get(id)?.(),
  };
}
