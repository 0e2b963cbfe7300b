import { replacedBy } from '../model/levels.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';

/**
 * Why an action must not be sent: an action that it needs is not known to be done. A role loses nothing unless it has
 * what the plan adds to it, and nothing of a kind is deleted unless everything that the plan creates of that kind
 * exists.
 */
export function unmetNeeds(actions: readonly Action[], outcomes: ReadonlyMap<string, Outcome>) {
  const planned = new Set(actions.map(({ id }) => id));
  const isUnmet = (id: string) => planned.has(id) && outcomes.get(id)?.outcome !== 'done';
  /** The first action of a kind that is not done, by name of the action and kind. Complete once a level has ended. */
  const missed = new Map<string, string>();
  return {
    /** Ends a level: its outcomes are known. */
    endLevel(level: readonly Action[]): void {
      for (const { id, kind, action } of level) {
        if (outcomes.get(id)?.outcome !== 'done') missed.set(`${action} ${kind}`, id);
      }
    },
    reasonAgainst({ kind, action, needs }: Action): string | null {
      const unmet = needs.find(isUnmet) ?? missed.get(`${replacedBy[action]} ${kind}`);
      return unmet === undefined ? null : `not sent because it depends on ${unmet}, which is not known to be done`;
    },
  };
}
