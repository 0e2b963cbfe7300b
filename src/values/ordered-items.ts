import { firstIndex } from './first-index.ts';

export interface Identified {
  readonly id: string;
}

/** Where a page starts: at an id or after it. The id itself need not exist. */
export type PageStart = { readonly at: string } | { readonly after: string } | null;

export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** The first item after the page; null on the last page. */
  readonly following: Item | null;
}

/** Items in the order of their ids, so that a position among them survives inserts and deletes. */
export type OrderedItems<Item extends Identified> = ReturnType<typeof orderItems<Item>>;

/** Binary search by id: a page costs its own length, however many items there are. */
export function orderItems<Item extends Identified>(items: readonly Item[]) {
  const ordered = items.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const indexOf = (id: string) => firstIndex(ordered, (item) => item.id >= id);

  return {
    all: ordered,
    page(start: PageStart, take: number, accepts: (item: Item) => boolean): PageOf<Item> {
      const found: Item[] = [];
      for (let index = startIndex(ordered, start); index < ordered.length; index += 1) {
        const item = ordered[index];
        if (item === undefined || !accepts(item)) continue;
        if (found.length === take) return { items: found, following: item };
        found.push(item);
      }
      return { items: found, following: null };
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

function startIndex(ordered: readonly Identified[], start: PageStart): number {
  if (start === null) return 0;
  return 'at' in start
    ? firstIndex(ordered, (item) => item.id >= start.at)
    : firstIndex(ordered, (item) => item.id > start.after);
}
