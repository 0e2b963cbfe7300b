import { firstIndex } from './first-index.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The id of the first item after the page; absent on the last page. */
  readonly next?: string;
}

/** Items that have ids, in an order of their own. */
export type OrderedItems<Item> = ReturnType<typeof orderItems<Item>>;

/**
 * Items in the order of their ids, so that a position among them survives inserts and deletes. Binary search by id: a page
 * costs its own length, however many items there are.
 */
export function orderItems<Item>(items: readonly Item[], idOf: (item: Item) => string) {
  const ordered = items.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
  const indexOf = (id: string) => firstIndex(ordered, (item) => idOf(item) >= id);
  const find = (id: string): Item | undefined => {
    const item = ordered[indexOf(id)];
    return item !== undefined && idOf(item) === id ? item : undefined;
  };

  return {
    get all(): readonly Item[] {
      return ordered;
    },
    /** It starts at an id, which need not exist. */
    page(start: string, take: number, accepts: (item: Item) => boolean): Page<Item> {
      const found: Item[] = [];
      for (let index = indexOf(start); index < ordered.length; index += 1) {
        const item = ordered[index];
        if (item === undefined || !accepts(item)) continue;
        if (found.length === take) return { items: found, next: idOf(item) };
        found.push(item);
      }
      return { items: found };
    },
    find,
    /** Adds the item, or replaces the one with its id. */
    put(item: Item): void {
      const id = idOf(item);
      ordered.splice(indexOf(id), find(id) === undefined ? 0 : 1, item);
    },
    /** False if there is no such item. */
    remove(id: string): boolean {
      if (find(id) === undefined) return false;
      ordered.splice(indexOf(id), 1);
      return true;
    },
  };
}

/** The same in the order in which they were added: a new item is the last one. */
export function itemsInOrder<Item>(items: readonly Item[], idOf: (item: Item) => string): OrderedItems<Item> {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return {
    get all() {
      return [...byId.values()];
    },
    page(start, take, accepts) {
      const all = [...byId.values()].filter(accepts);
      const first = Math.max(
        all.findIndex((item) => idOf(item) === start),
        0,
      );
      const next = all[first + take];
      return { items: all.slice(first, first + take), ...(next !== undefined && { next: idOf(next) }) };
    },
    find: (id) => byId.get(id),
    put: (item) => void byId.set(idOf(item), item),
    remove: (id) => byId.delete(id),
  };
}
