import type { PermissionPair } from './types.generated.ts';

/** What actions about permissions provide, follow and withdraw: see Link in src/model/kind.ts. */

const definedPrefix = 'permission is defined: ';

/** That an API defines a permission, so that roles can have it. */
export function isDefined({ resource_server_identifier: api, permission_name: name }: PermissionPair): string {
  return definedPrefix + JSON.stringify([api, name]);
}

/** The permission of such a token; null for another token. */
export function definedPair(token: string): PermissionPair | null {
  if (!token.startsWith(definedPrefix)) return null;
  const [api, name] = JSON.parse(token.slice(definedPrefix.length)) as [string, string];
  return { resource_server_identifier: api, permission_name: name };
}

/** That a role does not have a permission any more; by the id of the role. */
export function isRevoked(
  id: string,
  { resource_server_identifier: api, permission_name: name }: PermissionPair,
): string {
  return `permission is revoked: ${JSON.stringify([id, api, name])}`;
}

/** That a role does not exist any more; by its id. */
export function isDeleted(id: string): string {
  return `role is deleted: ${JSON.stringify(id)}`;
}
