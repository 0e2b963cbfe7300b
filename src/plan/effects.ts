import type { Decision, EffectsOf } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';

/** The actions of a plan with their effects, which each kind derives from what the plan contains of it. */
export function withEffects(actions: Action[], decisions: readonly Decision[]): Action[] {
  if (decisions.every(({ effectsOf }) => effectsOf === undefined)) return actions;
  const byKind = groupBy(actions, ({ kind }) => kind);
  const effects = new Map<string, EffectsOf>();
  for (const { kind, losses, effectsOf } of decisions) {
    const planned = byKind.get(kind) ?? [];
    if (effectsOf === undefined || planned.length === 0) continue;
    const ids = new Set(planned.map(({ id }) => id));
    effects.set(kind, effectsOf({ actions: planned, losses: losses.filter(({ id }) => ids.has(id)) }));
  }
  return actions.map((action) => {
    const own = effects.get(action.kind)?.(action) ?? [];
    return own.length === 0
      ? action
      : { ...action, effects: action.effects.length === 0 ? own : [...action.effects, ...own] };
  });
}
