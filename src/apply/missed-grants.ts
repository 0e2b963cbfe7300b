import type { Action } from '../model/plan.generated.ts';
import { itemOf } from './item-of.ts';

/**
 * What takes away waits for what grants: a role loses nothing unless it got what the plan adds to it, and nothing of a kind is
 * deleted unless what the plan creates of it is there. A stream that is renamed in the files is a creation and a deletion.
 */
export function missedGrants() {
  const byRole = new Map<string, string>();
  const byKind = new Map<string, string>();
  return {
    add(action: Action): void {
      if (action.action === 'add') byRole.set(itemOf(action), action.id);
      if (action.action === 'create') byKind.set(action.kind, action.id);
    },
    reasonAgainst(action: Action): string | null {
      const missed =
        action.action === 'remove'
          ? byRole.get(itemOf(action))
          : action.action === 'delete'
            ? byKind.get(action.kind)
            : undefined;
      return missed === undefined ? null : `not sent because it depends on ${missed}, which is not known to be done`;
    },
  };
}
