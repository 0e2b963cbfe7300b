import type { Description } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';

/** How an item of a kind is described, a live or a declared one: both have their fields under the same names. */
export type SummaryOf<Item> = (item: Item) => Description;

export function describeItem<Item extends object>(
  { before, after, reason, changes = [] }: Action,
  summaryOf: SummaryOf<Item>,
): Description {
  if (reason === 'rotated') return { summary: 'resends its secret' };
  return changes.length > 0 ? {} : summaryOf((after ?? before ?? {}) as Item);
}
