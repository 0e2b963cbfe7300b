import type { KindHooks } from '../items/comparison.ts';
import { describedKind } from '../items/described-kind.ts';
import { groupKind } from '../items/group-kind.ts';
import type { AnyKind } from '../model/kind.ts';
import type { KindDescription } from '../model/resource.ts';

/** A kind that is a description, with its hooks. */
export function kindFrom(description: KindDescription, hooks: KindHooks<object> = {}): AnyKind {
  return description.at === 'group' ? groupKind(description) : describedKind(description, hooks);
}
