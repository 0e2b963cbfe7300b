import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { PermissionPair } from '../../resources/roles/types.generated.ts';
import { pairsOf, pairText } from './permission-pair.ts';

/** The pairs of an add or a remove; of a created or deleted role its description, and the pairs that are lost. */
export function describe(action: Action): Description {
  const title = action.key;
  if (action.action === 'add' || action.action === 'remove') return { title, lines: pairsOf(action).map(pairText) };
  const { description = '', permissions = [] } = (action.after ?? action.before ?? {}) as Shown;
  const lines = [
    description === '' ? 'no description' : `description: ${description}`,
    ...permissions.map((pair) => `permission: ${pairText(pair)}`),
  ];
  return { title, lines };
}

interface Shown {
  readonly description?: string;
  readonly permissions?: readonly PermissionPair[];
}
