import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { PermissionPair } from './types.generated.ts';

export function describe(action: Action): Description {
  const pairs = (action.request.body?.['permissions'] ?? []) as readonly PermissionPair[];
  return { title: action.key, lines: pairs.map((pair) => `${pair.permission_name} of ${pair.resource_server_identifier}`) };
}
