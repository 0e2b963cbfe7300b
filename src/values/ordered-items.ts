import { firstIndex } from './first-index.ts';

export interface Identified {
  readonly id: string;
}

interface PageOf<Item> {
  readonly items: readonly Item[];
  /** The id of the first item after the page; absent on the last page. */
  readonly next?: string;
}

/** Items in the order of their ids, so that a position among them survives inserts and deletes. */
export type OrderedItems<Item extends Identified> = ReturnType<typeof orderItems<Item>>;

/** Binary search by id: a page costs its own length, however many items there are. */
export function orderItems<Item extends Identified>(items: readonly Item[]) {
  const ordered = items.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const indexOf = (id: string) => firstIndex(ordered, (item) => item.id >= id);

  return {
    all: ordered,
    /** It starts at an id, which need not exist. */
    page(start: string, take: number, accepts: (item: Item) => boolean): PageOf<Item> {
      const found: Item[] = [];
      for (let index = indexOf(start); index < ordered.length; index += 1) {
        const item = ordered[index];
        if (item === undefined || !accepts(item)) continue;
        if (found.length === take) return { items: found, next: item.id };
        found.push(item);
      }
      return { items: found };
    },
    find(id: string): Item | undefined {
      const item = ordered[indexOf(id)];
      return item?.id === id ? item : undefined;
    },
    /** Adds the item, or replaces the one with its id. */
    put(item: Item): void {
      const index = indexOf(item.id);
      ordered.splice(index, ordered[index]?.id === item.id ? 1 : 0, item);
    },
    /** False if there is no such item. */
    remove(id: string): boolean {
      const index = indexOf(id);
      if (ordered[index]?.id !== id) return false;
      ordered.splice(index, 1);
      return true;
    },
  };
}
