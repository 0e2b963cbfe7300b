/**
 * The one order of texts: by UTF-16 units, like the keys of canonical JSON, so that it depends on neither machine nor
 * language.
 */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The number of units that two texts have in common at their start. */
export function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/**
 * The order in which people sort names: digits in them are compared as numbers, so `item-9` is before `item-10`. Texts
 * that differ in leading zeros only are compared as texts.
 */
export function compareNaturally(left: string, right: string): number {
  return compareText(naturalKey(left), naturalKey(right)) || compareText(left, right);
}

/** More items than this keep their order, which is that of a plan: nobody reads them one by one. */
const mostSorted = 10_000;

/** The items in the order in which people sort their names. */
export function inNaturalOrder<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  if (items.length > mostSorted) return [...items];
  const keyed = items.map((item) => ({ item, key: naturalKey(nameOf(item)) }));
  return keyed
    .sort((one, other) => compareText(one.key, other.key) || compareText(nameOf(one.item), nameOf(other.item)))
    .map(({ item }) => item);
}

/**
 * A text whose order is the natural one of the name: before the digits of a number there is their count, and before that
 * a mark, because a name that has no more letters here is the shorter one.
 */
function naturalKey(name: string): string {
  return name.replaceAll(/0*(\d+)/g, (_number, digits: string, at: number) => {
    const mark = at === 0 ? '0' : '\0';
    return mark + String.fromCodePoint(digits.length) + digits;
  });
}

/** New items among the others: in order if the others are, otherwise at the end. */
export function withItems<Item>(
  items: readonly Item[],
  added: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Item[] {
  const isSorted = items.every((item, index) => index === 0 || compare(items[index - 1] ?? item, item) <= 0);
  return isSorted ? [...items, ...added].sort(compare) : [...items, ...added];
}
