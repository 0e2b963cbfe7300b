import type { Node } from '../../model/nodes.ts';
import type { Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import type { PermissionPair } from './types.generated.ts';

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
