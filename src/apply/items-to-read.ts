import { type Item, itemId } from '../model/action-identity.ts';
import { groupBy } from '../values/group-by.ts';

/** An item, or an entire kind where the key is null. */
export interface ItemToRead {
  readonly kind: string;
  readonly key: string | null;
}

/** More items of a kind than this are named by their kind: one listing shows them all. */
const mostNamed = 50;
/** A kind that is read item by item is read as planned. */
const mostNamedSingly = 1000;

/** What has to be read to plan these items again. `single`: names of the kinds that are read item by item. */
export function itemsToRead(of: readonly Item[], single: ReadonlySet<string> = new Set()): readonly ItemToRead[] {
  const items = [...groupBy(of, itemId).values()].flatMap(([first]) => first ?? []);
  return [...groupBy(items, ({ kind }) => kind)].flatMap(([kind, ofKind]): readonly ItemToRead[] => {
    const most = single.has(kind) ? mostNamedSingly : mostNamed;
    return ofKind.length > most ? [{ kind, key: null }] : ofKind.map(({ key }) => ({ kind, key }));
  });
}
