import type { Decision, Description, LabelOf, Part } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { LiveState } from '../../model/reader.ts';
import { accessEffects } from '../../service/roles/permissions.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { memberPath } from '../../values/part-path.ts';
import type { LiveRole } from './match-roles.ts';
import { pairsOf } from './permission-pair.ts';

/** The pairs of an add or a remove; of a created or deleted role its description. */
export function describe(action: Action, labelOf: LabelOf = () => ''): Description {
  if (action.action === 'add' || action.action === 'remove') {
    const pairs = pairsOf(action);
    const access = action.action === 'add' ? 'gained' : 'lost';
    const parts = [{ does: access, parts: pairs.map((pair) => partOf(pair, labelOf)) }] as const;
    return { ...(pairs.length > 0 && { parts }), access };
  }
  const { description } = action.after ?? action.before ?? {};
  return (action.changes ?? []).length > 0 ? {} : { summary: String(description ?? '') };
}

function partOf(pair: PermissionPair, labelOf: LabelOf): Part {
  const { permission_name: name, resource_server_identifier: api } = pair;
  return { name: name + labelOf(memberPath('/permissions', canonicalJson(pair))), of: api };
}

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
