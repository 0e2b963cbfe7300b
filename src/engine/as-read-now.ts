import { comparePlans } from '../apply/compare-plans.ts';
import type { KnownKind } from '../model/kind.ts';
import type { Effect, Plan } from '../model/plan.generated.ts';
import { sealPlan } from '../plan/digest.ts';

/**
 * A saved plan with what its actions are now, for people: what is confirmed and reported is what the requests do, also
 * if the file shows something else. What was not read again stays as it was saved: origins, and effects that need all
 * items of a kind.
 */
export function asReadNow(saved: Plan, fresh: Plan, kinds: readonly Pick<KnownKind, 'name' | 'reading'>[]): Plan {
  const compared = comparePlans(fresh);
  const partlyRead = new Set(fresh.left_out.filter(({ key }) => key === '*').map(({ kind }) => kind));
  // An item that is read by itself shows all that its actions lead to.
  for (const { name, reading } of kinds) if (reading?.each) partlyRead.delete(name);
  const actions = saved.actions.map((action) => {
    const now = compared.unchanged(action);
    if (now === undefined) return { ...action, effects: action.effects.map(uncounted) };
    const { id, action: name, needs, request, origin, effects } = action;
    const { part: _part, ...shown } = now;
    return {
      ...shown,
      ...(action.part !== undefined && { part: action.part }),
      ...{ id, action: name, needs, request, origin },
      effects: partlyRead.has(action.kind) ? effects.map(uncounted) : now.effects,
    };
  });
  return sealPlan({ ...saved, actions });
}

/** Who has an item is counted now or not at all, whatever the file shows. */
function uncounted({ users: _u, groups: _g, more_groups: _m, not_counted: _n, ...effect }: Effect): Effect {
  return effect;
}
