import type { EffectsOf, Loss, PlannedPart } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { accessEffects } from '../../service/roles/access-effects.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { missingScopes, pairOf } from './scope-lists.ts';

/** The scopes that go, and the roles that lose a permission with them. */
export function effectsOf({ losses }: PlannedPart): EffectsOf {
  const byAction = groupBy(losses, ({ id }) => id);
  return (action) => (action.action === 'remove' ? removalEffects(action, byAction.get(action.id) ?? []) : []);
}

function removalEffects({ key, before, after }: Action, losses: readonly Loss[]): Effect[] {
  const removed: Effect = {
    code: 'SCOPE_REMOVED',
    severity: 'warning',
    message: `no longer defines ${listOf(missingScopes(before, after))}`,
    kind: 'resource_servers',
    key,
  };
  const lost = [...groupBy(losses, ({ holder }) => holder?.id)].flatMap(([, ofRole]) => {
    const holder = ofRole[0]?.holder;
    const pairs = ofRole.flatMap(({ part }) => (part === undefined ? [] : [pairOf(key, part)]));
    return holder === undefined ? [] : accessEffects('ACCESS_LOST', holder, pairs);
  });
  return [removed, ...lost];
}
