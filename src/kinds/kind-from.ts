import { describedKind } from '../items/described-kind.ts';
import { groupKind } from '../items/group-kind.ts';
import type { AnyKind } from '../model/kind.ts';
import type { KindDescription } from '../model/resource.ts';

/** A kind that is a description and nothing else. */
export function kindFrom(description: KindDescription): AnyKind {
  return description.at === 'group' ? groupKind(description) : describedKind(description);
}
