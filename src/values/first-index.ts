/**
 * The first index at which `matches` is true, by binary search; the length if there is none. It must be false before this
 * index and true from there on.
 */
export function firstIndex<Item>(ordered: readonly Item[], matches: (item: Item) => boolean): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(ordered[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
