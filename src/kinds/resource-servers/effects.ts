import { identitiesIn, lackingIn } from '../../items/set-corrections.ts';
import type { EffectsOf, Loss, PlannedPart } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';

/** The scopes that go, and the roles that lose a permission with them. */
export function effectsOf({ losses }: PlannedPart): EffectsOf {
  const byAction = groupBy(losses, ({ id }) => id);
  return (action) =>
    action.action === 'remove' || action.action === 'delete'
      ? removalEffects(action, byAction.get(action.id) ?? [])
      : [];
}

function removalEffects({ key, before, after }: Action, losses: readonly Loss[]): Effect[] {
  const removed = lackingIn(identitiesIn(after?.['scopes'], 'value'), identitiesIn(before?.['scopes'], 'value'));
  const effect = (message: string): Effect => {
    return { code: 'SCOPE_REMOVED', severity: 'warning', message, kind: 'resource_servers', key };
  };
  const lost = [...groupBy(losses, ({ holder }) => holder?.id).values()].flatMap((ofRole) => {
    const permissions = [...new Set(ofRole.flatMap(({ part }) => part ?? []))].sort(compareText);
    const holder = ofRole[0]?.holder;
    if (holder === undefined || permissions.length === 0) return [];
    const message = `loses ${listOf(permissions)} of ${key}`;
    const about = { kind: holder.kind, key: holder.key, id: holder.id, api: key, permissions };
    return [{ code: 'ACCESS_LOST', severity: 'warning', message, ...about } as const];
  });
  return [...(removed.length > 0 ? [effect(`no longer defines ${listOf(removed)}`)] : []), ...lost];
}
