// Where a new item goes: beside the items of its kind, at its sorted place if that list is sorted.
import type { WrittenItem, WrittenPlace } from '../model/desired.ts';
import { firstIndex } from '../values/first-index.ts';
import { compareNaturally, compareText } from '../values/text-order.ts';

/** Of several declarations, the last one counts. */
export function editedPlace({ places }: WrittenItem): WrittenPlace {
  const last = places.at(-1);
  if (last === undefined) throw new RangeError('an item that is declared nowhere');
  return last;
}

/**
 * After which item of a file a key belongs; null: before all. The file is the last one that declares items of its kind
 * which stay, or `home` if none stays; keys are sorted if all of that file are. Items are in the order of the files.
 */
export function openPlaces(items: readonly WrittenItem[], home: string) {
  const last = items.at(-1);
  const file = last === undefined ? home : editedPlace(last).file;
  const inFile = items.filter((item) => editedPlace(item).file === file);
  const order = orders.find((compare) => isSorted(inFile, compare));
  return (key: string) => {
    const end = order === undefined ? inFile.length : firstIndex(inFile, ({ item }) => order(item.key, key) >= 0);
    return { file, after: inFile[end - 1] ?? null };
  };
}

const orders = [compareNaturally, compareText];

function isSorted(items: readonly WrittenItem[], compare: (left: string, right: string) => number): boolean {
  return items.every((one, index) => compare((items[index - 1] ?? one).item.key, one.item.key) <= 0);
}
