import type { Description, LabelOf } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { PermissionPair } from '../../resources/roles/types.generated.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { groupBy } from '../../values/group-by.ts';
import { memberPath } from '../../values/part-path.ts';
import { shortUrl } from '../../values/short-url.ts';
import { pairsOf, pairText } from './permission-pair.ts';

/**
 * The pairs of an add or a remove; of a created or deleted role its description, and the pairs that are lost, which are
 * effects as well.
 */
export function describe(action: Action, labelOf: LabelOf = () => ''): Description {
  const { key: title, changes = [] } = action;
  if (action.action === 'add' || action.action === 'remove') {
    const pairs = pairsOf(action);
    const access = action.action === 'add' ? 'gained' : 'lost';
    return { title, summary: pairsSummary(pairs, labelOf), access, lines: pairs.map(pairText) };
  }
  const { description = '', permissions = [] } = (action.after ?? action.before ?? {}) as Shown;
  const lines = [
    description === '' ? 'no description' : `description: ${description}`,
    ...permissions.map((pair) => `permission: ${pairText(pair)}`),
  ];
  return { title, ...(changes.length === 0 && { summary: description }), lines };
}

interface Shown {
  readonly description?: string;
  readonly permissions?: readonly PermissionPair[];
}

/** `read:orders, refund:orders of orders.example; export:bills of billing.example` */
function pairsSummary(pairs: readonly PermissionPair[], labelOf: LabelOf): string {
  const named = (pair: PermissionPair) =>
    pair.permission_name + labelOf(memberPath('/permissions', canonicalJson(pair)));
  return [...groupBy(pairs, ({ resource_server_identifier: api }) => api)]
    .map(([api, ofApi]) => `${ofApi.map(named).join(', ')} of ${shortUrl(api)}`)
    .join('; ');
}
