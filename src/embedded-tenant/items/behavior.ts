/**
 * What the service does with the items of a kind, written by hand from the public facts. It never reads a mark of a
 * description: a mark is a claim about the service, and this is what the claim is tested on.
 */
import type { RouteContext, RouteResponse } from '../../model/tenant-resource.ts';
import type { Item, ItemStore } from './item-store.ts';

export type Context = RouteContext<ItemStore>;

/** A body that was sent for an item; null if it is to be created. */
export interface Write extends Context {
  readonly item: Item | null;
  readonly body: Item;
}

/** Items in a list. Bodies and parameters are valid by the schemas of the operation. */
export interface Behavior {
  newId(context: Pick<RouteContext, 'newId'>): string;
  /** The response for an id that no item has. */
  readonly missing: RouteResponse;
  /** The response to a delete of such an id; default: 204. */
  readonly missingDelete?: RouteResponse;
  /** The item that a path names; default: the one with this id. */
  find?(name: string, context: Context): Item | undefined;
  /** Why a write is refused, or null. */
  refuse?(write: Write): RouteResponse | null;
  /** What a create stores, without an id; default: the body. */
  create?(write: Write): Item;
  /** What an update makes of an item; default: the fields of the body over those of the item. */
  update?(item: Item, write: Write): Item;
  /** What only the response to a create has; default: nothing. */
  showCreated?(item: Item): Item;
  /** What is returned of an item; default: all. */
  show?(item: Item, context: Context): Item;
  refuseDelete?(item: Item, context: Context): RouteResponse | null;
  /** What else a delete does. */
  deleted?(item: Item, context: Context): void;
  /** A delete is only accepted: its body, and the number of responses until the item is gone. */
  readonly slowDelete?: { body(now: Date): Item; readonly responses: number };
  /** The order of the listing; default: by id, or as they were created. */
  order?(one: Item, other: Item): number;
  /** Why a query of the listing is refused, or null. */
  refuseList?(query: Item): RouteResponse | null;
  /** Whether a filter selects an item as it is shown; default: its field of that name has the value. */
  readonly filters?: Readonly<Record<string, (item: Item, value: unknown) => boolean>>;
  /** A seeded item as it is stored; default: as it is. */
  seed?(item: Item): Item;
  readonly sets?: Readonly<Record<string, SetBehavior | ElementBehavior>>;
}

/** The elements of an item that have operations of their own. */
export interface SetBehavior {
  /** In the order of the listing. */
  list(item: Item, context: Context): readonly Item[];
  /** Why an add is refused, or null; a remove that is the same operation as well. */
  refuseAdd?(body: unknown, context: Context): RouteResponse | null;
  /** The item afterwards. Where one operation adds and removes, the two are the same. */
  add(item: Item, body: unknown): Item;
  remove(item: Item, body: unknown): Item;
}

/** Elements with ids of their own, each of which is added, changed and removed by itself. */
export interface ElementBehavior extends Pick<SetBehavior, 'list'> {
  /** The field of the item that has them. */
  readonly field: string;
  add(body: Item, context: Context): Item;
  update(element: Item, body: Item, context: Context): Item;
  refuseRemove(item: Item, element: Item | undefined): RouteResponse | null;
}

/** What every tenant has once. */
export interface SingleBehavior {
  /** As long as nobody changed it. */
  readonly initial: Item;
  /** The response of a tenant without the feature: its seed has null. */
  readonly lacking?: RouteResponse;
  /** Why an update is refused, or null. */
  refuse?(body: Item): RouteResponse | null;
  /** What an update makes of it; default: objects are merged, and lists are replaced. */
  update?(item: Item, body: Item): Item;
  /** Default: all. */
  show?(item: Item): Item;
}

/** What a tenant has once or not at all. */
export interface SoleBehavior {
  /** The response if there is none. */
  readonly missing: RouteResponse;
  /** The response to a create if there is one. */
  readonly exists: RouteResponse;
  /** The fields that a read without `fields` returns; default: all. */
  readonly brief?: readonly string[];
  /** Why a write is refused, or null; `after` is what it would store. */
  refuse?(body: Item, after: Item): RouteResponse | null;
  /** What a create stores; default: the body. */
  create?(body: Item): Item;
  /** What an update makes of it; default: the fields of the body over those of the item. */
  update?(item: Item, body: Item): Item;
  /** Default: all. */
  show?(item: Item): Item;
}
