import { itemId } from '../model/action-identity.ts';
import type { Action } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';

/** Items of one kind, because kinds may have quotas of their own. The rate limiter decides how many requests are in flight. */
const workersPerKind = 16;

/** Attempts all actions of a level: several items of each kind at once, the actions of one item in their order. */
export async function performLevel(
  actions: readonly Action[],
  attempt: (action: Action) => Promise<void>,
): Promise<void> {
  const byKind = groupBy(actions, ({ kind }) => kind);
  await Promise.all([...byKind.values()].map((ofKind) => performItems(groupBy(ofKind, itemId).values(), attempt)));
}

async function performItems(
  items: Iterator<readonly Action[]>,
  attempt: (action: Action) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (let item = items.next(); !item.done; item = items.next()) {
      for (const action of item.value) await attempt(action);
    }
  };
  await Promise.all(Array.from({ length: workersPerKind }, worker));
}
