import type { Decision } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import { accessEffects, usersText } from '../../resources/roles/access-effects.ts';
import type { PermissionPair } from '../../resources/roles/types.generated.ts';
import type { FoundRole, LiveRole } from './match-roles.ts';
import { pairsOf } from './permission-pair.ts';

/** What roles gain and lose, and how many users have a role that is deleted or loses all its permissions. */
export function effectsOn(live: LiveState<LiveRole>): NonNullable<Decision['effectsOf']> {
  return () => {
    const roles = new Map((live.readable ? live.items : []).map((role) => [role.key, role]));
    return (action) => effectsOf(action, roles.get(action.key));
  };
}

function effectsOf(action: Action, role: LiveRole | undefined): Effect[] {
  const users = role?.state === 'found' ? role.users : undefined;
  const count = typeof users === 'number' ? users : undefined;
  const { key } = action;
  switch (action.action) {
    case 'add':
      return accessEffects('ACCESS_GAINED', key, pairsOf(action));
    case 'remove':
      return action.reason === 'unreadable'
        ? accessEffects('ACCESS_NOT_READ', key, pairsOf(action))
        : [...accessEffects('ACCESS_LOST', key, pairsOf(action), count), ...unknownUsers(key, users)];
    case 'create':
      return [ownEffect('ROLE_CREATED', 'note', key, 'is a new role; no user has it')];
    case 'delete': {
      const permissions = (action.before?.['permissions'] ?? []) as readonly PermissionPair[];
      const counted = count === undefined ? '' : `; ${usersText(count)}`;
      return [
        ownEffect('ROLE_DELETED', 'warning', key, `is deleted, and taken from its users${counted}`, count),
        ...accessEffects('ACCESS_LOST', key, permissions, count),
        ...unknownUsers(key, users),
      ];
    }
    default:
      return [];
  }
}

function unknownUsers(key: string, users: FoundRole['users']): Effect[] {
  if (typeof users !== 'object') return [];
  return [ownEffect('ACCESS_USERS_UNKNOWN', 'note', key, `has an unknown number of users: ${users.why}`)];
}

function ownEffect(
  code: Effect['code'],
  severity: Effect['severity'],
  key: string,
  message: string,
  users?: number,
): Effect {
  return { code, severity, message, kind: 'roles', key, ...(users !== undefined && { users }) };
}
