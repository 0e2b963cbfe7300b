import type { ListOperation } from './operation.ts';
import type { KindName } from './plan.generated.ts';
import type { Unreadable } from './reader.ts';

/**
 * Names of items in the files, and ids of items of the tenant. `id:ID` stands for `{ id: ID }`, which files have where several
 * items share a name. A name that the files give an item by `renamed_from` is its name already.
 */
export interface Names {
  /**
   * What a name in the files is on the tenant. `by`: the field of a reference that has the same value in files and on the
   * tenant; then no text is an id.
   */
  find(to: KindName, name: string, by?: string): Named;
  /** The name in the files of the item with this id; `id:ID` where it has no name that is unique, or is not known. */
  nameOf(to: KindName, id: string): string;
  /** Every name of the item with this id: in the files, on the tenant, and `id:ID`. */
  namesOf(to: KindName, id: string): readonly string[];
  /** The live item with this id, as its list has it; undefined where there is none, or it was not read. */
  itemOf(to: KindName, id: string): object | undefined;
  /**
   * Whether the item of a name has a node below it on the tenant, such as `scopes/read:orders`; null if that is not known.
   */
  hasNode(to: KindName, name: string, below: string, by?: string): boolean | null;
}

/**
 * - `new`: the action of this id creates it; `reference` stands for its id in a request
 * - `going`: the files declare it absent, or their section deletes it; without an id, it is not on the tenant
 * - `several`: more than one live item has the name
 * - `unknown`: neither on the tenant nor declared; `near` is the name that is probably meant
 * - `unread`: the list of the kind could not be read
 */
export type Named =
  | { readonly is: 'live'; readonly id: string }
  | { readonly is: 'new'; readonly action: string; readonly reference: string }
  | { readonly is: 'going'; readonly id?: string }
  | { readonly is: 'several'; readonly ids: readonly string[] }
  | { readonly is: 'unknown'; readonly near?: string | undefined }
  | { readonly is: 'unread'; readonly why: Unreadable };

/** How items of other kinds name those of a kind. */
// biome-ignore lint/suspicious/noExplicitAny: only the kind knows how the service lists its items
export interface Naming<Live = any> {
  /** The list that shows every item which others can name, those among them that files cannot declare. */
  readonly list: ListOperation<object, Live>;
  /** The query of the list; default: none. */
  readonly query?: object;
  /** The field of the id, in a live item and in the response to a create. */
  readonly idField: string;
  /** The name of a live item in the files: its key; null if it has none. `names`: those that its keys are made of. */
  nameOf(live: Live, names: Names): string | null;
  /** False if several items can have one name: then the key `id:ID` is that of the item with this id. Default: true. */
  readonly isUnique?: boolean;
  /** Whether a name means a live item; `declared`: the item of the files with this name. Default: it does. */
  canBeNamed?(live: Live, declared: { readonly value: unknown } | undefined, names: Names): boolean;
  /** True for an item that no plan deletes, although no rule of the files keeps it. Default: none. */
  isKept?(live: Live, isDeclared: boolean): boolean;
  /** What patterns under `protect` are matched against, beside the key; default: the name. */
  protectedAs?(live: Live, names: Names): readonly string[];
  /** The nodes below a live item that others can name, such as `scopes/read:orders`. Default: none. */
  nodesOf?(live: Live): readonly string[];
}

/** That an item names another one, or a node below it. */
export interface ItemReference {
  readonly to: KindName;
  /** In the files. */
  readonly name: string;
  /** The field of the other item that has this value; default: its id on the tenant, its name in the files. */
  readonly by?: string;
  /** `scopes/read:orders`; default: the item itself. */
  readonly below?: string;
  /** Where it is in the item that names the other one. */
  readonly pointer: string;
  /** What is before the name there. Default: nothing. */
  readonly lead?: string;
  /** What the service does with this item when the other one is deleted. */
  readonly gone?: 'deleted' | 'dropped' | 'refused';
  /** True if an update sets it after the create. */
  readonly late?: boolean;
}

/**
 * What the items of a kind name. Order, requirements, what a deletion takes along, and what is left out follow from it.
 *
 * - `to`: every kind that they can name
 * - `inKeys`: those whose names are a part of their keys; without them, the kind cannot be read
 * - `goneWith`: those whose deletion does something to them
 * - `needed`: the kinds of `to` that are read for these items of the files, for these patterns and keys of items, and to pull
 *   every live item; default: all
 */
export interface References<Desired = unknown, Live = unknown> {
  readonly to: readonly KindName[];
  readonly inKeys?: readonly KindName[];
  readonly goneWith?: readonly KindName[];
  needed?(items: readonly Desired[], texts: readonly string[], pulls: boolean): readonly KindName[];
  declared(item: Desired): readonly ItemReference[];
  live(live: Live, names: Names): readonly ItemReference[];
  /** The same of live elements of a set that has operations of its own. `set`: its name. */
  liveIn(set: string, elements: readonly object[], names: Names): readonly ItemReference[];
}

/** No items of other kinds. */
export const noNames: Names = {
  find: () => ({ is: 'unknown' }),
  nameOf: (_to, id) => `${idPrefix}${id}`,
  namesOf: (_to, id) => [`${idPrefix}${id}`],
  itemOf: () => undefined,
  hasNode: () => null,
};

/** Before an id, where the files name an item by it. */
export const idPrefix = 'id:';
