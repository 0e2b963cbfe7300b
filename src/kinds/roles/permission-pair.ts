import type { Access, DesiredItem } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { DeclaredRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import { isCreatable, type LiveRole } from './match-roles.ts';

/** Equal for two pairs that are the same permission. */
export function pairKey(pair: PermissionPair): string {
  return JSON.stringify([pair.resource_server_identifier, pair.permission_name]);
}

/** `read:orders of https://orders.example/` */
export function pairText({ resource_server_identifier: api, permission_name: permission }: PermissionPair): string {
  return `${permission} of ${api}`;
}

/** The pairs in one line: the first ones, and the number of the others. */
export function pairList(pairs: readonly PermissionPair[]): string {
  return listOf(pairs.map(pairText));
}

/** By API, then by permission: the service promises no order (public facts 2.4). */
export function comparePairs(left: PermissionPair, right: PermissionPair): number {
  return (
    compareText(left.resource_server_identifier, right.resource_server_identifier) ||
    compareText(left.permission_name, right.permission_name)
  );
}

/** The declared permissions that a live role, or one that is created, does not have, with their positions. */
export function missingPairs(
  { value }: DesiredItem<DeclaredRole>,
  role: LiveRole | undefined,
): readonly { readonly pair: PermissionPair; readonly index: number }[] {
  const { permissions = [] } = value;
  const isCreated = role?.state === 'missing' && isCreatable(value, role);
  if (role?.state !== 'found' && !isCreated) return [];
  const held = new Set(role.state === 'found' ? role.permissions?.map(pairKey) : []);
  return permissions.map((pair, index) => ({ pair, index })).filter(({ pair }) => !held.has(pairKey(pair)));
}

/** The pairs that an action of this kind adds or removes. */
export function pairsOf({ request }: Action): readonly PermissionPair[] {
  return (request.body?.['permissions'] ?? []) as readonly PermissionPair[];
}

/** Permissions that an action grants to a role or revokes from it. */
export function access(action: Action): Access {
  const { permissions = [] } = (action.before ?? {}) as { readonly permissions?: readonly PermissionPair[] };
  switch (action.action) {
    case 'add':
      return { grants: pairsOf(action).map(pairKey) };
    case 'remove':
      return { revokes: pairsOf(action).map(pairKey) };
    case 'delete':
      return { revokes: permissions.map(pairKey) };
    default:
      return {};
  }
}
