import type { Identified, OrderedItems, PageStart } from '../../model/tenant-resource.ts';

/** Items in the order of their ids, found by bisection: a page costs its own length, however many items there are. */
export function orderItems<Item extends Identified>(items: readonly Item[]): OrderedItems<Item> {
  const ordered = items.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const indexOf = (id: string) => firstIndex(ordered, (item) => item.id >= id);

  return {
    all: ordered,
    page(start, take, accepts) {
      const found: Item[] = [];
      for (let index = startIndex(ordered, start); index < ordered.length; index += 1) {
        const item = ordered[index];
        if (item === undefined || !accepts(item)) continue;
        if (found.length === take) return { items: found, following: item };
        found.push(item);
      }
      return { items: found, following: null };
    },
    find(id) {
      const item = ordered[indexOf(id)];
      return item?.id === id ? item : undefined;
    },
    put(item) {
      const index = indexOf(item.id);
      ordered.splice(index, ordered[index]?.id === item.id ? 1 : 0, item);
    },
    remove(id) {
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

/** The first index for which `holds` is true; it must be false before and true from there on. */
function firstIndex(ordered: readonly Identified[], holds: (item: Identified) => boolean): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = ordered[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
