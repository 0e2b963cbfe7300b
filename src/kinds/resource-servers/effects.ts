import { identitiesIn, lackingIn } from '../../items/set-corrections.ts';
import type { EffectsOf, Loss, PlannedPart } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { accessEffects } from '../../service/roles/permissions.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';

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
    const pairs = ofRole.flatMap(({ part }) =>
      part === undefined ? [] : [{ resource_server_identifier: key, permission_name: part }],
    );
    const holder = ofRole[0]?.holder;
    return holder === undefined ? [] : accessEffects('ACCESS_LOST', holder, pairs);
  });
  return [...(removed.length > 0 ? [effect(`no longer defines ${listOf(removed)}`)] : []), ...lost];
}
