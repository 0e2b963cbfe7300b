import { type Item, itemId } from '../model/action-identity.ts';
import { groupBy } from '../values/group-by.ts';

/** An item, or an entire kind where the key is null. */
export interface ItemToRead {
  readonly kind: string;
  readonly key: string | null;
}

/** More items than this are read by kind: one by one would take longer. */
const mostSingleItems = 50;

/** What has to be read to plan these items again. */
export function itemsToRead(of: readonly Item[]): readonly ItemToRead[] {
  const items = [...groupBy(of, itemId).values()].flatMap(([first]) => first ?? []);
  if (items.length <= mostSingleItems) return items.map(({ kind, key }) => ({ kind, key }));
  return [...new Set(items.map(({ kind }) => kind))].map((kind) => ({ kind, key: null }));
}
