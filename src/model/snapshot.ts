import type { GetOperation, ItemParams, ListOperation } from './operation.ts';
import type { Count, Listed, Listing, NotRead, PathParams, Reading } from './reader.ts';

/**
 * The tenant as it was read since a moment. Whoever asks for the same reading shares it, and what a list shows is certain:
 * a list of several pages can change between them, so it is read until its pages fit together, and again where something
 * follows from it that one pass may show by mistake (see Doubt).
 */
export interface Snapshot {
  list<Query extends object, Item>(
    operation: ListOperation<Query, Item>,
    query: Query,
    params?: PathParams,
    doubtsOf?: DoubtsOf<Item>,
  ): Promise<Listing<Item>>;
  /** Items of a kind, by its list or one by one, whichever takes fewer requests. */
  find<Item>(source: ItemSource<Item>, wanted: Wanted<Item>): Promise<Found<Item>>;
  get<Returned>(operation: GetOperation<unknown, Returned>, params: PathParams): Promise<Reading<Returned>>;
  /** A reading of its own: to confirm what another response has shown. */
  getAgain: Snapshot['get'];
  count(operation: ListOperation, params: PathParams): Promise<Reading<Count>>;
}

/**
 * What follows from a list of several pages and one pass may show by mistake: an item that moves between two pages is
 * missed, and one that is created again meanwhile looks like two. It is certain once two passes lead to the same.
 */
export interface Doubt {
  readonly name: string;
  /** That it is missing, gone after this run has deleted it, twice there, to be deleted, or something else that is counted. */
  readonly what: 'missing' | 'gone' | 'duplicate' | 'unwanted' | 'counted';
  /** The live items, or their parts, that it relies on, in text order. */
  readonly ids: readonly string[];
}

/** What is doubtful about these items, were they the complete list. */
export type DoubtsOf<Item> = (items: readonly Item[]) => Iterable<Doubt>;

/** How the items of a kind can be read. */
export interface ItemSource<Item> {
  // biome-ignore lint/suspicious/noExplicitAny: every list has filters of its own
  readonly list: ListOperation<any, Item>;
  /** The query of the complete list; default: none. */
  readonly query?: object;
  /** Reads one item by its id. */
  readonly get?: GetOperation<ItemParams, Item>;
  /** The query that lists the items of a name; null if the service would refuse it. */
  filterOf?(name: string): object | null;
  /** Whether a name does not exist that the filter does not find. Default: it may. */
  readonly isFilterExact?: boolean;
  nameOf(item: Item): string;
}

export interface Wanted<Item> {
  /** The few that matter; null for all. */
  readonly names: readonly string[] | null;
  /** Further names that matter; that nothing has one of them needs no proof. */
  readonly others?: readonly string[];
  /** Further items, by id. */
  readonly ids?: readonly string[];
  /** Whether the complete list is taken to be long while it was not read yet. Default: it is. */
  readonly isLong?: boolean;
  /** True if the complete list serves others as well, so that it is preferred. Default: false. */
  readonly listFirst?: boolean;
  /** The named items that were there before, with their ids if they are known: only another reading shows one gone. */
  readonly before?: ReadonlyMap<string, string | null>;
  readonly doubtsOf?: DoubtsOf<Item>;
}

/** `isComplete`: it has every item of the list. */
export type Found<Item> = (Pick<Listed<Item>, 'ok' | 'items' | 'odd'> & { readonly isComplete: boolean }) | NotRead;
