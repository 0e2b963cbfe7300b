import type { Description, LabelOf, Part } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
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
    const parts = [{ does: access, parts: pairs.map((pair) => partOf(pair, labelOf)) }] as const;
    return { title, ...(pairs.length > 0 && { parts }), access, lines: pairs.map(pairText) };
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

function partOf(pair: PermissionPair, labelOf: LabelOf): Part {
  const { permission_name: name, resource_server_identifier: api } = pair;
  return { name: name + labelOf(memberPath('/permissions', canonicalJson(pair))), of: shortUrl(api) };
}
