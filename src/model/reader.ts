import type { Unreadable } from './live-state.ts';
import type { ListOperation } from './operation.ts';

/** The result of reading every page of a listing. Anything short of every page is a reason, not a list. */
export type Listing<Item> = { readonly ok: true; readonly items: readonly Item[] } | { readonly ok: false; readonly why: Unreadable };

/** The read-only side of the tenant. */
export interface Reader {
  list<Query extends object, Item>(operation: ListOperation<Query, Item>, query: Query): Promise<Listing<Item>>;
}
