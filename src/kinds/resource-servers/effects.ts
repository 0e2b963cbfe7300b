import type { Effects, PlannedPart } from '../../model/kind.ts';
import type { Effect } from '../../model/plan.generated.ts';
import { accessEffects } from '../../resources/roles/access-effects.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { missingScopes, pairOf } from './scope-lists.ts';

/** The scopes that go, and the roles that lose a permission with them. */
export function effectsOf({ actions, losses }: PlannedPart): Effects {
  const byAction = groupBy(losses, ({ id }) => id);
  return new Map(
    actions
      .filter(({ action }) => action === 'remove')
      .map(({ id, key, before, after }) => {
        const bearers = (byAction.get(id) ?? []).flatMap(({ bearer }) => bearer ?? []);
        const byRole = groupBy(bearers, (bearer) => bearer.key);
        const removed: Effect = {
          code: 'SCOPE_REMOVED',
          severity: 'warning',
          message: `no longer defines ${listOf(missingScopes(before, after))}`,
          kind: 'resource_servers',
          key,
        };
        return [
          id,
          [
            removed,
            ...[...byRole].flatMap(([role, lost]) =>
              accessEffects(
                'ACCESS_LOST',
                role,
                lost.map(({ part }) => pairOf(key, part)),
              ),
            ),
          ],
        ];
      }),
  );
}
