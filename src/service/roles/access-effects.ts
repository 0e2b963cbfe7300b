import type { Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import type { PermissionPair } from './types.generated.ts';

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
