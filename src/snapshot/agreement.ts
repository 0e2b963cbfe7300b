import type { ListOperation } from '../model/operation.ts';
import type { Listed } from '../model/reader.ts';
import type { Doubt } from '../model/snapshot.ts';
import { memberOf } from '../values/json-pointer.ts';

/** Whether two passes have the same items, apart from those that this run has changed. */
export function haveSameOthers<Item>(
  one: Listed<Item>,
  other: Listed<Item>,
  { paging }: ListOperation<object, Item>,
  ownIds: ReadonlySet<string>,
): boolean {
  const idsOf = ({ items }: Listed<Item>) =>
    new Set(
      items
        .map((item) => paging.identity.map((field) => String(memberOf(item, field))).join('\n'))
        .filter((id) => !ownIds.has(id)),
    );
  const [ids, others] = [idsOf(one), idsOf(other)];
  return ids.size === others.size && [...ids].every((id) => others.has(id));
}

/** Whether all doubts are known. There can be 100,000, of which no pass has shown any. */
export function includesAll(known: Iterable<Doubt>, doubts: Iterable<Doubt>): boolean {
  let texts: ReadonlySet<string> | null = null;
  for (const doubt of doubts) {
    texts ??= new Set([...known].map(textOf));
    if (!texts.has(textOf(doubt))) return false;
  }
  return true;
}

function textOf({ name, what, ids }: Doubt): string {
  return JSON.stringify([name, what, ...ids]);
}
