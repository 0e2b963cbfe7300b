import type { Decision } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import { accessEffects } from '../../service/roles/access-effects.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';
import type { LiveRole } from './match-roles.ts';
import { pairsOf } from './permission-pair.ts';

/** What roles gain and lose. */
export function effectsOn(live: LiveState<LiveRole>): NonNullable<Decision['effectsOf']> {
  return () => {
    const roles = new Map((live.readable ? live.items : []).map((role) => [role.key, role]));
    return (action) => effectsOf(action, roles.get(action.key));
  };
}

function effectsOf(action: Action, role: LiveRole | undefined): Effect[] {
  const item = { kind: 'roles', key: action.key, ...(role?.state === 'found' && { id: role.id }) } as const;
  switch (action.action) {
    case 'add':
      return accessEffects('ACCESS_GAINED', item, pairsOf(action));
    case 'remove':
      return accessEffects(action.reason === 'unreadable' ? 'ACCESS_NOT_READ' : 'ACCESS_LOST', item, pairsOf(action));
    case 'create':
      return [{ code: 'ROLE_CREATED', severity: 'note', message: 'is a new role; no user has it', ...item }];
    case 'delete': {
      const permissions = (action.before?.['permissions'] ?? []) as readonly PermissionPair[];
      const message = 'is deleted, and taken from its users and groups';
      return [
        { code: 'ROLE_DELETED', severity: 'warning', message, ...item },
        ...accessEffects('ACCESS_LOST', item, permissions),
      ];
    }
    default:
      return [];
  }
}
