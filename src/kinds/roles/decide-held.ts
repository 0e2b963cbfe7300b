import { plannedRequest } from '../../contract/planned-request.ts';
import type { Decision, DesiredSection, KeepRules, Loss } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { addRolePermissions, removeRolePermissions } from '../../resources/roles/operations.ts';
import type { DeclaredRole, PermissionPair } from '../../resources/roles/types.generated.ts';
import { compareRole, type RoleDifference } from './compare-role.ts';
import { inBatches } from './in-batches.ts';
import type { LiveRole } from './live-role.ts';
import { matchRoles, type RoleMatch } from './match-roles.ts';
import { comparePairs, pairKey, pairKeys, pairList, pairText } from './permission-pair.ts';

const kind = 'roles';

/**
 * What a role holds is a set of pairs, and the difference of two sets is exact: a pair that both sides have is in no request.
 *
 *   declared { permissions: [read, write], absent_permissions: [admin] }
 *   held     [read, delete, admin]
 *   ->       add [write]; remove [admin, delete], where delete is a loss and admin was asked for
 */
export function decideHeld(
  desired: DesiredSection<DeclaredRole>,
  live: readonly LiveRole[],
  keep: KeepRules,
): Decision {
  const { matches, faults } = matchRoles(desired.items, live);
  const decided = matches.map((match) => decideRole(match, keep));
  const owned = matches.filter(({ item }) => item.value.permissions !== undefined);
  return {
    kind,
    actions: decided.flatMap(({ actions }) => actions),
    findings: decided.flatMap(({ findings }) => findings),
    losses: decided.flatMap(({ losses }) => losses),
    faults,
    unreadable: null,
    population: {
      declared: desired.items.length,
      live: owned.reduce((sum, { role }) => sum + role.permissions.length, 0),
      filtered: false,
    },
  };
}

type RoleDecision = Pick<Decision, 'actions' | 'findings' | 'losses'>;

function decideRole(match: RoleMatch, keep: KeepRules): RoleDecision {
  const difference = compareRole(match.item.value, match.role);
  const adds = additions(match, difference.missing);
  if (isProtected(match, keep)) return { actions: adds, findings: protectedFindings(match, difference), losses: [] };
  const undeclared = keep.keepUndeclared ? [] : difference.undeclared;
  const { actions, losses } = removals(match, { ...difference, undeclared });
  return {
    actions: [...adds, ...actions],
    findings: keep.keepUndeclared ? keptFindings(match, difference) : [],
    losses,
  };
}

/** A role is known by its key, its id and, where roles were listed, its name; a pattern that covers one of them protects it. */
function isProtected({ item, role }: RoleMatch, keep: KeepRules): boolean {
  return keep.isProtected(item.key) || keep.isProtected(role.id) || (role.name !== null && keep.isProtected(role.name));
}

function additions({ item, role }: RoleMatch, missing: readonly PermissionPair[]): Action[] {
  return inBatches(`${kind}/${item.key}#add`, missing).map(({ id, pairs }) => ({
    id,
    kind,
    key: item.key,
    action: 'add',
    reason: 'missing',
    request: plannedRequest(addRolePermissions, { params: { id: role.id }, body: { permissions: pairs } }),
    before: null,
    after: { permissions: pairs },
    source: item.at('/permissions'),
  }));
}

function removals(
  { item, role }: RoleMatch,
  { unwanted, undeclared }: RoleDifference,
): { actions: Action[]; losses: Loss[] } {
  const unwantedKeys = pairKeys(unwanted);
  const actions: Action[] = [];
  const losses: Loss[] = [];
  for (const { id, pairs } of inBatches(
    `${kind}/${item.key}#remove`,
    [...unwanted, ...undeclared].sort(comparePairs),
  )) {
    const asked = pairs.filter((pair) => unwantedKeys.has(pairKey(pair)));
    const lost = pairs.filter((pair) => !unwantedKeys.has(pairKey(pair)));
    const action: Action = {
      id,
      kind,
      key: item.key,
      action: 'remove',
      reason: lost.length > 0 ? 'undeclared' : 'different',
      request: plannedRequest(removeRolePermissions, { params: { id: role.id }, body: { permissions: pairs } }),
      before: { permissions: pairs },
      after: null,
      ...(asked.length === 0 ? {} : { notes: [askedNote(asked, lost)] }),
      source: item.at(lost.length > 0 ? '/permissions' : '/absent_permissions'),
    };
    actions.push(action);
    losses.push(...lost.map((pair) => ({ action, item: `${kind}/${item.key}#${pairText(pair)}` })));
  }
  return { actions, losses };
}

function askedNote(asked: readonly PermissionPair[], lost: readonly PermissionPair[]): string {
  return lost.length === 0
    ? 'removes only permissions listed in absent_permissions'
    : `listed in absent_permissions: ${pairList(asked)}`;
}

function protectedFindings({ item }: RoleMatch, { unwanted, undeclared }: RoleDifference): Finding[] {
  const kept = [...unwanted, ...undeclared].sort(comparePairs);
  if (kept.length === 0) return [];
  const message = `has ${counted(kept)} to remove (${pairList(kept)}); kept because the role is protected`;
  return [
    {
      code: 'LIVE_PROTECTED',
      kind,
      key: item.key,
      message,
      source: item.at(undeclared.length > 0 ? '/permissions' : '/absent_permissions'),
    },
  ];
}

function keptFindings({ item }: RoleMatch, { undeclared }: RoleDifference): Finding[] {
  if (undeclared.length === 0) return [];
  const message = `has ${counted(undeclared)} not declared in the files (${pairList(undeclared)}); kept because keep_undeclared includes its kind`;
  return [{ code: 'LIVE_UNDECLARED', kind, key: item.key, message, source: item.at('/permissions') }];
}

function counted(pairs: readonly PermissionPair[]): string {
  return pairs.length === 1 ? '1 permission' : `${pairs.length} permissions`;
}
