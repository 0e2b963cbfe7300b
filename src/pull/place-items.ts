// Where a new item goes: into the file of the items that are most like it, at its sorted place if that list is sorted.
import type { WrittenItem, WrittenPlace } from '../model/desired.ts';
import { firstIndex } from '../values/first-index.ts';
import { groupBy } from '../values/group-by.ts';
import { commonStart, compareNaturally, compareText } from '../values/text-order.ts';

/** After which item of a file; null: before all. */
export interface PlaceOfItem {
  readonly file: string;
  readonly after: WrittenItem | null;
}

/** Of several declarations, the last one counts. */
export function editedPlace({ places }: WrittenItem): WrittenPlace {
  const last = places.at(-1);
  if (last === undefined) throw new RangeError('an item that is declared nowhere');
  return last;
}

/** The place of a key among the items of its kind that stay, which are in the order of the files; `home`, if none does. */
export function openPlaces(items: readonly WrittenItem[], home: string): (key: string) => PlaceOfItem {
  const byFile = groupBy(items, (item) => editedPlace(item).file);
  const orderOf = new Map(
    [...byFile].map(([file, inFile]) => [file, orders.find((compare) => isSorted(inFile, compare))]),
  );
  const byKey = [...items].sort((left, right) => compareText(left.item.key, right.item.key));
  return (key) => {
    const like = nearest(key, byKey);
    const file = like === undefined ? home : editedPlace(like).file;
    const inFile = byFile.get(file) ?? [];
    const order = orderOf.get(file);
    const end = order === undefined ? inFile.length : firstIndex(inFile, ({ item }) => order(item.key, key) >= 0);
    return { file, after: inFile[end - 1] ?? null };
  };
}

const orders = [compareNaturally, compareText];

function isSorted(items: readonly WrittenItem[], compare: (left: string, right: string) => number): boolean {
  return items.every((item, index) => {
    const last = items[index - 1] ?? item;
    return compare(last.item.key, item.item.key) <= 0;
  });
}

/** The item whose key starts most like a key: it is next to it in a sorted list. */
function nearest(key: string, sorted: readonly WrittenItem[]): WrittenItem | undefined {
  const next = firstIndex(sorted, ({ item }) => compareText(item.key, key) >= 0);
  const [before, after] = [sorted[next - 1], sorted[next]];
  if (before === undefined || after === undefined) return before ?? after;
  return commonStart(after.item.key, key) > commonStart(before.item.key, key) ? after : before;
}
