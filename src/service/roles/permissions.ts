import { isThere, thereNode } from '../../model/nodes.ts';
import type { Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import type { PermissionPair } from './types.generated.ts';

/** What actions about permissions provide, follow and withdraw: see Link in src/model/kind.ts. */

/** That an API defines a permission, so that roles can have it. */
export function isDefined({ resource_server_identifier: key, permission_name: name }: PermissionPair): string {
  return isThere({ kind: 'resource_servers', key, below: `scopes/${name}` });
}

/** The permission of such a token; null for another token. */
export function definedPair(token: string): PermissionPair | null {
  const node = thereNode(token);
  const [, name] = /^scopes\/(.*)$/s.exec(node?.below ?? '') ?? [];
  if (node?.kind !== 'resource_servers' || name === undefined) return null;
  return { resource_server_identifier: node.key, permission_name: name };
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

const changes = {
  ACCESS_LOST: { severity: 'warning', verb: 'loses', condition: '' },
  ACCESS_GAINED: { severity: 'note', verb: 'gains', condition: '' },
  ACCESS_NOT_READ: {
    severity: 'note',
    verb: 'loses',
    condition: ', if it has them: the permissions of the role cannot be read',
  },
} as const;

/** One effect on a role for each API, in text order. `id`: the live role. */
export function accessEffects(
  code: keyof typeof changes,
  { key, id }: Pick<Effect, 'key' | 'id'>,
  pairs: readonly PermissionPair[],
): Effect[] {
  const { severity, verb, condition } = changes[code];
  const byApi = groupBy(pairs, ({ resource_server_identifier: api }) => api);
  return [...byApi]
    .sort(([one], [other]) => compareText(one, other))
    .map(([api, ofApi]) => {
      const permissions = [...new Set(ofApi.map(({ permission_name: name }) => name))].sort(compareText);
      const message = `${verb} ${listOf(permissions)} of ${api}${condition}`;
      const isLoss = code === 'ACCESS_LOST' && id !== undefined;
      return { code, severity, message, kind: 'roles', key, ...(isLoss && { id }), api, permissions };
    });
}
