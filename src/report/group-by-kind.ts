import type { AnyKind } from '../model/kind.ts';
import type { Group, Item } from './report.ts';

/** Nobody reads a longer list, and a log of a hundred megabytes hides what it holds; the JSON form of a plan always has all. */
const longestList = 10_000;

/** Items of each kind, kinds in their order, and of each kind at most `most`. */
export function groupByKind<Entry extends { readonly kind: string }>(
  entries: readonly Entry[],
  kinds: readonly AnyKind[],
  itemOf: (entry: Entry) => Item,
  most = longestList,
): Group[] {
  const byKind = new Map<string, Entry[]>(kinds.map((kind) => [kind.name, []]));
  for (const entry of entries) {
    const known = byKind.get(entry.kind);
    if (known === undefined) byKind.set(entry.kind, [entry]);
    else known.push(entry);
  }
  return [...byKind]
    .filter(([, group]) => group.length > 0)
    .map(([name, group]) => ({
      title: kindTitle(name, kinds),
      items: group.slice(0, most).map(itemOf),
      more: Math.max(0, group.length - most),
    }));
}

export function kindTitle(name: string, kinds: readonly AnyKind[]): string {
  return kinds.find((kind) => kind.name === name)?.title ?? name;
}
