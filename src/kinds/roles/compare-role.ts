import type { DeclaredRole, PermissionPair } from '../../resources/roles/types.generated.ts';
import type { FoundRole } from './live-role.ts';
import { comparePairs, pairKey, pairKeys } from './permission-pair.ts';

/** How what a role holds differs from its declaration; no pair is in two of the lists. */
export interface RoleDifference {
  /** Declared and not held, in declared order. */
  readonly missing: readonly PermissionPair[];
  /** Held, although the declaration names it as absent; in order. */
  readonly unwanted: readonly PermissionPair[];
  /** Held and not declared, in order; none for a role that does not declare what it holds. */
  readonly undeclared: readonly PermissionPair[];
}

export function compareRole(
  { permissions, absent_permissions: absent = [] }: DeclaredRole,
  role: FoundRole,
): RoleDifference {
  const held = pairKeys(role.permissions);
  const wanted = pairKeys(permissions ?? []);
  const absentKeys = pairKeys(absent);
  const heldInOrder = role.permissions.toSorted(comparePairs);
  return {
    missing: (permissions ?? []).filter((pair) => !held.has(pairKey(pair)) && !absentKeys.has(pairKey(pair))),
    unwanted: heldInOrder.filter((pair) => absentKeys.has(pairKey(pair))),
    undeclared:
      permissions === undefined
        ? []
        : heldInOrder.filter((pair) => !wanted.has(pairKey(pair)) && !absentKeys.has(pairKey(pair))),
  };
}
