import { itemId } from '../model/action-identity.ts';
import { stageOf } from '../model/levels.ts';
import type { Action } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';

/**
 * Items of one kind, because kinds may have quotas of their own. The rate limiter decides how many requests are in
 * flight.
 */
const workersPerKind = 16;

/**
 * Attempts every action once, in an order that removes nothing before it is replaced: each kind goes through its stages, an
 * action waits for those that it needs, and the actions of one item follow each other. Kinds do not wait for each other: one
 * with a quota of five requests a minute delays no other. All items are created before anything is given to one of them:
 * what is given to a new item waits for a reading of it, and one listing serves all of them.
 *
 *   roles    [create p, create q] [add p, add q] [update r] [delete s]
 *   prompts  [put login, put signup]                                   at the same time
 *
 * `attempt` must not reject, and actions must be in an order in which they can be performed.
 */
export async function schedule(actions: readonly Action[], attempt: (action: Action) => Promise<void>): Promise<void> {
  const endings = openEndings(actions);
  const perform = async (item: readonly Action[]) => {
    for (const action of item) {
      await endings.of(action.needs);
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

/** When actions end that others need. Most plans have none of these, and can have 100,000 actions. */
function openEndings(actions: readonly Action[]) {
  const resolve = new Map<string, () => void>();
  const needed = new Set(actions.flatMap(({ needs }) => needs));
  const endings = new Map(
    actions
      .filter(({ id }) => needed.has(id))
      .map(({ id }) => [id, new Promise<void>((resolved) => resolve.set(id, resolved))]),
  );
  return {
    of: (ids: readonly string[]) => Promise.all(ids.map((id) => endings.get(id))),
    end: (id: string) => resolve.get(id)?.(),
  };
}
