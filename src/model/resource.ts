/**
 * A resource of the service as data. `npm run generate` makes these values from `src/kinds/<kind>/kind.yaml` and the facts
 * beside it; docs/internals/descriptions.md explains every mark.
 */
import type { Fields } from './field.ts';
import type { KindHead } from './kind.ts';
import type { GetOperation, ListOperation, Operation, Shape } from './operation.ts';

/**
 * - `list`: items with ids
 * - `set`: elements, each its own identity
 * - `single`: one per tenant, or per item of the parent
 * - `group`: several singles; it has no operations of its own
 */
export type Placing = 'list' | 'set' | 'single' | 'group';

export interface Resource {
  readonly at: Placing;
  readonly noun?: { readonly one: string; readonly many: string };
  /** Fields that match an item of the files to one of the tenant; of a set, to an element. Empty for a single. */
  readonly key: readonly string[];
  /**
   * False if the service accepts several items of one key: then files can have an id in its place, and a create whose response
   * is lost cannot be recognized by a conflict. An element of a set that has no key of its own is known by its id.
   */
  readonly unique?: false;
  /** Files can have an id in place of the key: the key fields are then fields like others. */
  readonly byId?: true;
  /**
   * An item is created only if the files declare a field beside its key: a misspelt name would create another one. An element is
   * added only if they declare one of these fields.
   */
  readonly creates?: 'fields' | readonly string[];
  /** The field of the service's own id. */
  readonly id: string;
  readonly fields: Fields;
  readonly operations: ResourceOperations;
  /** Everything below that is read or written by itself, or counted by itself. */
  readonly resources: Readonly<Record<string, Resource>>;
  /** A set that is a field of its parent: read and written with it. */
  readonly in?: true;
  /** Items of other kinds name its elements: these are added before, and removed after, what names them. */
  readonly named?: true;
  /** Files write the value of this one field in place of an element. */
  readonly scalar?: string;
  /** Files can write its elements by the value of this one of the two fields of its key. */
  readonly short?: string;
  /** What files call the list of those of its elements that must not be there. */
  readonly absent?: string;
  /** The most elements. */
  readonly maxItems?: number;
  /** What happens to elements that the files do not list. Default: they are removed. */
  readonly rest?: 'remove' | 'report' | 'keep';
  /** Nodes that an element needs, as paths with `{field}`, or `{^field}` of the parent. */
  readonly refs?: readonly string[];
  /**
   * Who holds what: fields of the element, or `^field` of its parent; `^` is the parent itself. `all`: the field of the parent
   * which says that the holder has every element.
   */
  readonly access?: { readonly holder: readonly string[]; readonly thing: readonly string[]; readonly all?: string };
  /** Items that are not managed. */
  readonly skip?: readonly Skip[];
  /** Items of which only these fields can change: those of the service itself. */
  readonly writable?: Skip & { readonly only: readonly string[] };
}

/** Items with these values are left alone; `why` completes "left alone because it is". */
export interface Skip {
  /** An object is about the item that a reference names: `{ client_id: { is_first_party: false } }`. */
  readonly when: Readonly<Record<string, unknown>>;
  readonly why: string;
  /** An item that the files declare is managed. */
  readonly unless?: 'declared';
}

// biome-ignore lint/suspicious/noExplicitAny: a description knows no types of items
type Any = any;

/** What the service offers; a walk plans nothing that is absent. */
export interface ResourceOperations {
  readonly list?: ListOperation<Any, Any, Any>;
  readonly get?: GetOperation<Any, Any, Any>;
  readonly create?: Operation<Any, Any, Any, Any>;
  readonly update?: Operation<Any, Any, Any, Any>;
  readonly put?: Operation<Any, Any, Any, Any>;
  readonly delete?: Operation<Any, Any, Any, Any>;
  readonly add?: ElementOperation;
  readonly remove?: ElementOperation;
}

/**
 * `body` has `$elements` where the list of elements goes; each of them gets the fields of `element`. `$element` is a complete one;
 * an operation on the path of an element has no body.
 */
export interface ElementOperation extends Operation<Any, Any, Any, Any> {
  readonly elements: {
    readonly body?: unknown;
    readonly element?: Readonly<Record<string, unknown>>;
    /** The most in one request. */
    readonly batch?: number;
  };
}

/** A resource with a section of its own in the files. */
export interface KindDescription extends Resource, KindHead {
  readonly noun: { readonly one: string; readonly many: string };
  /** Validates the section of a file. */
  readonly section?: Shape<unknown>;
  /** What is lost for good with an item: `its users`. */
  readonly destroys?: string;
  /** The fields that name the client and the API of an item: what is about a client of this tool can lock it out. */
  readonly own?: { readonly client?: string; readonly api?: string };
}
