import type { Stores, TenantStore } from '../../model/tenant-resource.ts';
import { itemsInOrder, type OrderedItems, orderItems } from '../../values/ordered-items.ts';

/** A stored item, or the body of a request; only the behaviour of its kind knows the fields. */
export type Item = Readonly<Record<string, unknown>>;

export interface ItemStore extends TenantStore, OrderedItems<Item> {
  /** Whether the seed has the section. */
  readonly isSeeded: boolean;
  /** The item, whose deletion was accepted, is there for so many more responses. A snapshot does not have it any more. */
  leave(id: string, responses: number): void;
  isLeaving(id: string): boolean;
  /** Responses about the kind, this one included. */
  readonly responses: number;
  countResponse(): void;
}

/** `order`: that of the ids, or the one in which items were created. */
export function openItems(items: readonly Item[] | undefined, idField: string, order: 'id' | 'creation'): ItemStore {
  const idOf = (item: Item) => String(item[idField]);
  const stored = (order === 'id' ? orderItems : itemsInOrder)(items ?? [], idOf);
  const isSeeded = items !== undefined;
  const leaving = new Map<string, number>();
  let responses = 0;
  const remove = (id: string) => {
    leaving.delete(id);
    return stored.remove(id);
  };
  return {
    ...stored,
    isSeeded,
    get all() {
      return stored.all;
    },
    remove,
    leave: (id, left) => void leaving.set(id, left),
    isLeaving: (id) => leaving.has(id),
    countResponse() {
      for (const [id, left] of leaving)
        if (left === 0) remove(id);
        else leaving.set(id, left - 1);
      responses += 1;
    },
    get responses() {
      return responses;
    },
    snapshot() {
      const left = stored.all.filter((item) => !leaving.has(idOf(item)));
      return isSeeded || left.length > 0 ? left : undefined;
    },
  };
}

/** The store of a section. Another resource opened it. */
export function itemsOf(stores: Stores, section: string): ItemStore {
  return stores.get({ section, openStore: () => openItems([], 'id', 'id') });
}
