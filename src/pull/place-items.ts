// Where a new item goes: into the file of the items that are most like it, at its sorted place if that list is sorted.
import type { WrittenItem } from '../model/desired.ts';
import { groupBy } from '../values/group-by.ts';
import { pointerPath } from '../values/json-pointer.ts';
import { compareNaturally, compareText } from '../values/text-order.ts';

/** After which item of a file; null: before all. */
export interface PlaceOfItem {
  readonly file: string;
  readonly after: WrittenItem | null;
}

/**
 * The place of a key among the items of its kind that stay, which are in the order of the files; null if no file has
 * one.
 */
export function openPlaces(items: readonly WrittenItem[]): (key: string) => PlaceOfItem | null {
  const byFile = groupBy(items, ({ file }) => file);
  const orderOf = new Map(
    [...byFile].map(([file, inFile]) => [file, orders.find((compare) => isSorted(inFile, compare))]),
  );
  return (key) => {
    const file = fileFor(key, items);
    if (file === null) return null;
    const inFile = byFile.get(file) ?? [];
    const order = orderOf.get(file);
    const before = order === undefined ? inFile : inFile.filter((item) => order(item.item.key, key) < 0);
    return { file, after: before.at(-1) ?? null };
  };
}

const orders = [compareNaturally, compareText];

function isSorted(items: readonly WrittenItem[], compare: (left: string, right: string) => number): boolean {
  return items.every((item, index) => {
    const last = items[index - 1];
    return last === undefined || compare(last.item.key, item.item.key) <= 0;
  });
}

/** The file of the item whose key has most in common with the new one; of equal ones, the last that sorts before it. */
function fileFor(key: string, items: readonly WrittenItem[]): string | null {
  let best: WrittenItem | null = null;
  let common = -1;
  for (const item of items) {
    const length = commonStart(item.item.key, key);
    if (length < common || (length === common && best !== null && !isNearer(item, best, key))) continue;
    best = item;
    common = length;
  }
  return best?.file ?? null;
}

function isNearer(item: WrittenItem, best: WrittenItem, key: string): boolean {
  return compareNaturally(item.item.key, key) < 0 && compareNaturally(item.item.key, best.item.key) > 0;
}

function commonStart(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return index;
}

/** The index of an item in its list. */
export function indexOfItem({ pointer }: WrittenItem): number {
  return Number(pointerPath(pointer).at(-1));
}
