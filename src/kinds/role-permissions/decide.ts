import { buildPath } from '../../contract/path.ts';
import { unreadableDecision } from '../../differ/unreadable-decision.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { DecideInput, Decision, DesiredItem } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { removeRolePermissions } from './operations.ts';
import { roleKey } from './role-key.ts';
import type { DeclaredRole } from './types.generated.ts';

const kind = 'role_permissions';

/**
 * No available operation reads what a role holds. What must be absent is removed all the same, because removing a pair that
 * is not held changes nothing; what shall be present cannot be checked, and that is said at its place in the files.
 */
export function decide({ desired, live, keep }: DecideInput<DeclaredRole, never>): Decision {
  if (live.readable) throw new InternalError('role permissions were read, but no operation reads them');
  const removing = desired.items.filter((item) => (item.value.absent_permissions ?? []).length > 0);
  const actions = removing.filter((item) => !keep.isProtected(item.key)).map(removal);
  const kept = removing.filter((item) => keep.isProtected(item.key)).map(keptFinding);
  const unchecked = desired.items.filter((item) => item.value.permissions !== undefined).map(uncheckedFinding);
  return unreadableDecision(kind, desired, live, { actions, findings: [...kept, ...unchecked] });
}

/** All pairs of a role go in one request. */
function removal(item: DesiredItem<DeclaredRole>): Action {
  return {
    id: `${kind}/${item.key}#remove`,
    kind,
    key: item.key,
    action: 'remove',
    reason: 'unreadable',
    request: {
      operation: removeRolePermissions.id,
      method: 'DELETE',
      path: buildPath(removeRolePermissions, { id: roleKey(item.value) }),
      body: { permissions: item.value.absent_permissions },
    },
    before: null,
    after: { absent_permissions: item.value.absent_permissions },
    source: item.at('/absent_permissions'),
  };
}

function keptFinding(item: DesiredItem<DeclaredRole>): Finding {
  return {
    code: 'LIVE_PROTECTED',
    kind,
    key: item.key,
    message: 'its absent_permissions are not removed, because the role is protected',
    source: item.at('/absent_permissions'),
  };
}

function uncheckedFinding(item: DesiredItem<DeclaredRole>): Finding {
  return {
    code: 'LIVE_NOT_CHECKED',
    kind,
    key: item.key,
    message: 'its permissions are declared, but no available operation reads what the role holds; they are neither compared nor changed',
    source: item.at('/permissions'),
  };
}
