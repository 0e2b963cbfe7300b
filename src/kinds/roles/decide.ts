import { plannedRequest } from '../../contract/path.ts';
import type { ContainerAction, ContainerChange, ContainerKind, ContainerPart } from '../../differ/container-kind.ts';
import { decideContainers } from '../../differ/decide-containers.ts';
import { type ActionDraft, draftAction } from '../../differ/draft.ts';
import type { DecideInput, Decision, DesiredItem, Loss } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import * as service from '../../service/roles/operations.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import type { DeclaredRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { fingerprint } from '../../values/fingerprint.ts';
import { checkPermissions, nearPermissions } from './check-permissions.ts';
import { effectsOn } from './describe.ts';
import { keepsName, type LiveRole, matchRoles } from './match-roles.ts';
import { comparePairs, pairList, pairText } from './permission-pair.ts';

/** A permission that a role has or is declared to have. */
interface Permission extends ContainerPart {
  readonly pair: PermissionPair;
}

type RoleChange = ContainerChange<DeclaredRole, Permission>;

/**
 * Permissions are a set of pairs. A pair that both sides have is in no request.
 *
 *   declared { permissions: [read, write], absent_permissions: [admin] }
 *   live     [read, delete, admin]
 *   ->       add [write]; remove [admin, delete], where delete is a loss and admin was asked for
 */
const roles: ContainerKind<DeclaredRole, LiveRole, Permission> = {
  kind: 'roles',
  unit: { verb: 'remove', one: 'permission', many: 'permissions' },
  noun: { one: 'role', many: 'roles' },
  partsOf({ permissions, absent_permissions: absent = [] }) {
    if (permissions === undefined && absent.length === 0) return null;
    return {
      wanted: permissions?.map(permissionOf) ?? null,
      unwanted: absent.map(permissionOf),
      pointer: permissions === undefined ? '/absent_permissions' : '/permissions',
    };
  },
  match(items, live) {
    const { matches, ...concluded } = matchRoles(items, live);
    return {
      containers: matches.map(({ item, role }) => {
        const { name = role.name } = item.value;
        // Until it is renamed, patterns of `protect` may mean its old name.
        const names = [role.name ?? [], keepsName(item) ? [name ?? [], item.renamedFrom ?? []] : []];
        return {
          item,
          id: role.id,
          ...(name !== null && name !== item.key && { name }),
          names: [item.key, role.id, ...names.flat(2)],
          hidesName: role.name === null,
          parts: (role.permissions ?? []).toSorted(comparePairs).map(permissionOf),
          ...(role.description !== undefined && {
            fields: { id: role.id, name: role.name, description: role.description },
          }),
          ...(role.odd !== undefined && { odd: role.odd }),
        };
      }),
      ...concluded,
    };
  },
  namesOf: (items, live) =>
    live.readable && live.listed !== undefined
      ? [...items.map(({ key }) => key), ...live.listed.flatMap(({ id, name }) => [id, name])]
      : null,
  idOf: ({ id }) => id ?? null,
  own: {
    fieldsOf: (item) => ({
      ...(keepsName(item) && { name: item.value.name }),
      ...(item.value.description !== undefined && { description: item.value.description }),
    }),
    // An empty description is what a role without one has (public facts 2.3).
    create: ({ value: { name, description } }) =>
      plannedRequest(service.createRole, { body: description === '' ? { name } : { name, description } }),
    update: ({ id }, changed) => plannedRequest(service.updateRole, { params: { id }, body: changed }),
    delete: ({ id }) => plannedRequest(service.deleteRole, { params: { id } }),
    shown: ({ fields, parts }) => ({ ...fields, permissions: parts.map(({ pair }) => pair) }),
  },
  correct: (change) => [...additions(change), ...removals(change)],
  // Removing a pair that the role does not have changes nothing, so it is sent without reading.
  correctUnread: (item) => {
    const { absent_permissions: pairs = [] } = item.value;
    if (pairs.length === 0) return [];
    const action = pairAction(item, roleKey(item.value), 'remove', pairs, {
      reason: 'unreadable',
      before: null,
      after: { absent_permissions: pairs },
      precondition: null,
      source: item.at('/absent_permissions'),
    });
    return [action];
  },
  notChecked({ permissions, description }) {
    if (permissions !== undefined) return 'permissions';
    return description === undefined ? null : 'description';
  },
};

export function decide(input: DecideInput<DeclaredRole, LiveRole>): Decision {
  const decision = withHolders(checkPermissions(input, decideContainers(roles, input)), input);
  return {
    ...decision,
    findings: [...decision.findings, ...nearPermissions(input)],
    ...(decision.actions.length > 0 && { effectsOf: effectsOn(input.live) }),
  };
}

/** Names the live role of each loss, and of what is asked for. */
function withHolders(decision: Decision, { live }: DecideInput<DeclaredRole, LiveRole>): Decision {
  if (!live.readable) return decision;
  const found = live.items.flatMap((role) => (role.state === 'found' ? [role] : []));
  const byKey = new Map(found.map(({ key, id }) => [key, { kind: 'roles', id, key } as const]));
  const byAction = new Map(decision.actions.map(({ id, key }) => [id, byKey.get(key)]));
  const held = (loss: Loss): Loss => ({ ...loss, holder: byAction.get(loss.id) });
  return {
    ...decision,
    losses: decision.losses.map(held),
    asked: decision.asked.map(held),
    holders: new Map(found.flatMap(({ id, permissions }) => (permissions?.length ? [[id, permissions.length]] : []))),
  };
}

/** The key of a role in plans: its id, or its name if roles can be listed. The schema requires one of them. */
export function roleKey(role: Pick<DeclaredRole, 'id' | 'name'>): string {
  return role.id ?? role.name ?? '';
}

function permissionOf(pair: PermissionPair): Permission {
  return { id: pairKey(pair), name: pairText(pair), value: true, pair };
}

/**
 * The request that adds or removes permissions: one is enough for the maximum of a role (public facts 2.4). `id`: of the
 * role.
 */
function pairAction(
  { key }: DesiredItem<DeclaredRole>,
  id: string,
  part: 'add' | 'remove',
  permissions: readonly PermissionPair[],
  rest: Pick<ActionDraft, 'reason' | 'before' | 'after' | 'notes' | 'precondition' | 'source'>,
): Action {
  const operation = part === 'add' ? service.addRolePermissions : service.removeRolePermissions;
  const request = plannedRequest(operation, { params: { id }, body: { permissions } });
  return draftAction({ kind: 'roles', key, part, action: part, request, ...rest });
}

function additions({ container: { item, id }, missing }: RoleChange): ContainerAction<Permission>[] {
  if (missing.length === 0) return [];
  const pairs = missing.map(({ pair }) => pair);
  const action = pairAction(item, id, 'add', pairs, {
    reason: 'missing',
    before: null,
    after: { permissions: pairs },
    precondition: heldState(id, pairs, false),
    source: item.at('/permissions'),
  });
  return [{ action, lost: [], asked: [], grants: true }];
}

function removals({ container: { item, id }, unwanted, undeclared }: RoleChange): ContainerAction<Permission>[] {
  const pairsOf = (parts: readonly Permission[]) => parts.map(({ pair }) => pair).sort(comparePairs);
  const pairs = pairsOf([...unwanted, ...undeclared]);
  if (pairs.length === 0) return [];
  const loses = undeclared.length > 0;
  const [lost, asked] = [pairsOf(undeclared), pairsOf(unwanted)];
  const action = pairAction(item, id, 'remove', pairs, {
    reason: loses ? 'undeclared' : 'different',
    before: { permissions: pairs },
    after: null,
    ...(asked.length > 0 && { notes: [askedNote(asked, loses)] }),
    precondition: heldState(id, pairs, true),
    source: item.at(loses ? '/permissions' : '/absent_permissions'),
  });
  return [{ action, lost: lost.map(permissionOf), asked: asked.map(permissionOf), grants: false }];
}

/** What an add or a remove relies on: the role, and which of the named pairs it has. */
function heldState(id: string, pairs: readonly PermissionPair[], held: boolean): string {
  return fingerprint({ id, pairs: pairs.map((pair) => [pairKey(pair), held]) });
}

function askedNote(asked: readonly PermissionPair[], loses: boolean): string {
  return loses
    ? `listed in absent_permissions: ${pairList(asked)}`
    : 'removes only permissions listed in absent_permissions';
}
