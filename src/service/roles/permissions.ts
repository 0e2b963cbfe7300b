import type { Node } from '../../model/nodes.ts';

export type PermissionPair = {
  readonly resource_server_identifier: string;
  readonly permission_name: string;
};

/** A role of the files, in its canonical form. */
export interface DeclaredRole {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly permissions?: readonly PermissionPair[];
  readonly absent_permissions?: readonly PermissionPair[];
}

/** Equal for two pairs that are the same permission. */
export function pairKey(pair: PermissionPair): string {
  return JSON.stringify([pair.resource_server_identifier, pair.permission_name]);
}

/** A permission as a scope that an API has. */
export function scopeOf({ resource_server_identifier: key, permission_name: name }: PermissionPair): Node {
  return { kind: 'resource_servers', key, below: scopePrefix + name };
}

/** The permission of such a node; null for another one. */
export function pairOfScope({ kind, key, below = '' }: Node): PermissionPair | null {
  if (kind !== 'resource_servers' || !below.startsWith(scopePrefix)) return null;
  return { resource_server_identifier: key, permission_name: below.slice(scopePrefix.length) };
}

const scopePrefix = 'scopes/';
