import type { DesiredItem, ReadAsk } from '../model/kind.ts';
import type { Doubt, DoubtsOf, ItemSource } from '../model/snapshot.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';

export interface DoubtRules<Desired, Item> {
  /** The names that a declared item has or gets; default: its key. */
  namesOf?(item: DesiredItem<Desired>): readonly string[];
  /** Whether an item would be deleted that the files do not declare, or declare absent. Default: it would not. */
  mayDelete?(item: Item, isDeclared: boolean): boolean;
}

/**
 * What a plan concludes from the list of a kind, apart from what it sees: that a declared name is missing, that two items have
 * one name, that an item is deleted, and that one is gone which an earlier action was to delete.
 *
 *   declared a, b (renamed from c)    live a, c, d      missing b; unwanted d, where undeclared items are deleted
 */
export function itemDoubts<Desired, Item>(
  { list, nameOf }: Pick<ItemSource<Item>, 'list' | 'nameOf'>,
  { desired, isSelected = () => true, watched = [] }: ReadAsk<Desired>,
  { namesOf = ({ key }) => [key], mayDelete = () => false }: DoubtRules<Desired, Item> = {},
): DoubtsOf<Item> {
  const [idField = ''] = list.paging.identity;
  const idOf = (item: Item) => String(memberOf(item, idField));
  const declared = new Map<string, DesiredItem<Desired>>();
  const renamed = new Map<string, string>();
  for (const item of desired.items) {
    if (!isSelected(item.key)) continue;
    for (const name of namesOf(item)) {
      declared.set(name, item);
      if (item.renamedFrom !== undefined) renamed.set(item.renamedFrom, name);
    }
  }
  // Two readings have led to these deletions already.
  const deleted = new Map(
    watched.flatMap(({ action, key, before }) =>
      action === 'delete' && typeof before?.['id'] === 'string' ? [[before['id'], key] as const] : [],
    ),
  );
  return function* doubtsOf(items): Generator<Doubt> {
    const found = new Map<string, Item[]>();
    for (const item of items) {
      const own = nameOf(item);
      const name = renamed.get(own) ?? own;
      const { state } = declared.get(name) ?? {};
      if (state === 'present') found.set(name, [...(found.get(name) ?? []), item]);
      else if (
        state !== 'unmanaged' &&
        (state === 'absent' || isSelected(name)) &&
        mayDelete(item, state === 'absent')
      ) {
        const id = idOf(item);
        if (!deleted.has(id)) yield { name, what: 'unwanted', ids: [id] };
      }
    }
    for (const [name, { state }] of declared) {
      if (state !== 'present') continue;
      const same = found.get(name) ?? [];
      const ids = same.map(idOf).sort(compareText);
      if (same.length > 1) yield { name, what: 'duplicate', ids };
      else if (same.every((item) => nameOf(item) !== name)) yield { name, what: 'missing', ids };
    }
    if (deleted.size === 0) return;
    const ids = new Set(items.map(idOf));
    for (const [id, name] of deleted) if (!ids.has(id)) yield { name, what: 'gone', ids: [id] };
  };
}
