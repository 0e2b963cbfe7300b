import { plannedRequest } from '../../contract/planned-request.ts';
import { unreadableDecision } from '../../differ/unreadable-decision.ts';
import type { Decision, DesiredItem, DesiredSection, KeepRules } from '../../model/kind.ts';
import type { Unreadable } from '../../model/live-state.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { removeRolePermissions } from '../../resources/roles/operations.ts';
import type { DeclaredRole } from '../../resources/roles/types.generated.ts';
import { inBatches } from './in-batches.ts';
import { roleKey } from './role-key.ts';

const kind = 'roles';

/**
 * No available operation reads what a role holds. What must be absent is removed all the same, because removing a pair that
 * is not held changes nothing; what shall be present cannot be checked, and that is said at its place in the files.
 */
export function decideBlind(desired: DesiredSection<DeclaredRole>, why: Unreadable, keep: KeepRules): Decision {
  const removing = desired.items.filter((item) => (item.value.absent_permissions ?? []).length > 0);
  const actions = removing.filter((item) => !keep.isProtected(item.key)).flatMap(removals);
  const kept = removing.filter((item) => keep.isProtected(item.key)).map(keptFinding);
  const unchecked = desired.items.filter((item) => item.value.permissions !== undefined).map(uncheckedFinding);
  return unreadableDecision(kind, desired, why, { actions, findings: [...kept, ...unchecked] });
}

function removals(item: DesiredItem<DeclaredRole>): Action[] {
  return inBatches(`${kind}/${item.key}#remove`, item.value.absent_permissions ?? []).map(({ id, pairs }) => ({
    id,
    kind,
    key: item.key,
    action: 'remove',
    reason: 'unreadable',
    request: plannedRequest(removeRolePermissions, {
      params: { id: roleKey(item.value) },
      body: { permissions: pairs },
    }),
    before: null,
    after: { absent_permissions: pairs },
    source: item.at('/absent_permissions'),
  }));
}

function keptFinding(item: DesiredItem<DeclaredRole>): Finding {
  return {
    code: 'LIVE_PROTECTED',
    kind,
    key: item.key,
    message: 'its absent_permissions are not removed because the role is protected',
    source: item.at('/absent_permissions'),
  };
}

function uncheckedFinding(item: DesiredItem<DeclaredRole>): Finding {
  return {
    code: 'LIVE_NOT_CHECKED',
    kind,
    key: item.key,
    message:
      'its permissions are declared, but no available operation can read the live ones; they are neither compared nor changed',
    source: item.at('/permissions'),
  };
}
