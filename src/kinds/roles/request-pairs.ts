import type { Action } from '../../model/plan.generated.ts';
import type { PermissionPair } from '../../resources/roles/types.generated.ts';

/** The pairs that an action of this kind adds or removes. */
export function pairsOf({ request }: Action): readonly PermissionPair[] {
  return (request.body?.['permissions'] ?? []) as readonly PermissionPair[];
}
