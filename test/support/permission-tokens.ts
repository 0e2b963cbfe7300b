import { idPrefix } from '../../src/model/names.ts';
import { isGone, isReleased, isThere } from '../../src/model/nodes.ts';
import type { PermissionPair } from '../../src/service/roles/permissions.ts';
import { scopeOf } from '../../src/service/roles/permissions.ts';

/** That an API defines a permission. */
export const isDefined = (pair: PermissionPair) => isThere(scopeOf(pair));

/** That a role does not have a permission any more, and that it does not exist. */
export const isRevoked = (role: string, pair: PermissionPair) => isReleased(scopeOf(pair), nodeOf(role));
export const isDeleted = (role: string) => isGone(nodeOf(role));

function nodeOf(role: string) {
  return { kind: 'roles', key: idPrefix + role } as const;
}
