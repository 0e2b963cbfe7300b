import type { GetOperation, ItemParams, ListOperation } from './operation.ts';
import type { KindName } from './plan.generated.ts';

/**
 * Why something was not read. `status` and `serviceMessage` come from the last response; null if there is none or it has
 * no message.
 */
export interface NotRead {
  readonly ok: false;
  readonly why: Unreadable;
  readonly status: number | null;
  readonly serviceMessage: string | null;
  /** True if the service itself responds that the item does not exist. */
  readonly gone?: boolean;
  /** The operation that has to fail in the same way before the tenant counts as one that does not have the feature. */
  readonly confirmedBy?: GetOperation<ItemParams>;
  /** True for a list that changed each time that it was read. */
  readonly restless?: boolean;
}

/**
 * A field of a live item that is not as its schema describes it. `unknown`: the schema does not name it. `form`: it has
 * another format, range or type.
 */
export interface OddField {
  /** `configuration.burst`, `subscriptions[].id`. */
  readonly field: string;
  readonly what: 'unknown' | 'form';
  /** Where it is, by JSON pointer; of several elements of a list, the first one. */
  readonly pointer?: string;
}

/** The odd fields of items that have any. */
export type OddFields<Item = unknown> = ReadonlyMap<Item, readonly OddField[]>;

/** Every item of a listing, and how many pages it had; default: 1. */
export interface Listed<Item> extends Timed {
  readonly ok: true;
  readonly items: readonly Item[];
  readonly pages?: number;
  /** How the list changed while the last pass read it; then items may be missing. */
  readonly changed?: string;
  readonly odd?: OddFields<Item>;
}

/** What the service says is a fact about the tenant, and no failure of the reading. */
export function notOnTenant({ why, ...read }: NotRead): NotRead {
  return { ...read, why: { ...why, code: 'LIVE_NOT_ON_TENANT', message: `not on this tenant; ${why.message}` } };
}

/** The result of reading every page of a listing. Anything short of every page is a reason, not a list. */
export type Listing<Item> = Listed<Item> | NotRead;

export type Reading<Returned> =
  | ({ readonly ok: true; readonly value: Returned; readonly odd?: readonly OddField[] } & Timed)
  | NotRead;

/** When the first response arrived, by the monotonic clock; absent if that does not matter. */
interface Timed {
  readonly arrivedAt?: number;
}

/** Values of the path's parameters. */
export type PathParams = Readonly<Record<string, string>>;

/** Sends one reading, each time that it is asked. Concurrent calls send concurrent requests, up to a limit. */
export interface Reader {
  /** One pass over all pages. */
  list<Query extends object, Item>(
    operation: ListOperation<Query, Item>,
    query: Query,
    params?: PathParams,
  ): Promise<Listing<Item>>;
  get<Returned>(operation: GetOperation<unknown, Returned>, params: PathParams): Promise<Reading<Returned>>;
  /** The number of items of a listing, as far as one request shows it; the items are not kept. */
  count(operation: ListOperation, params: PathParams): Promise<Reading<Count>>;
}

/**
 * Reads what people read and nothing is decided by: one try, and none if the token shows that it lacks the scope. No
 * failure ends the run. Texts are on one line, without secrets, and of at most 300 characters.
 */
export type Glance = <Returned>(
  operation: GetOperation<unknown, Returned>,
  params: PathParams,
  query: Readonly<Record<string, string>>,
) => Promise<Reading<Returned>>;

/** `hasMore`: the listing is paged by cursor, and has further pages. */
export interface Count {
  readonly items: number;
  readonly hasMore: boolean;
}

/** Why a kind cannot be read. `structural`: no operation reads it, so nothing failed. */
export interface Unreadable {
  readonly readable: false;
  readonly structural: boolean;
  readonly code:
    | 'LIVE_UNREADABLE'
    | 'LIVE_NOT_ON_TENANT'
    | 'LIVE_SCOPE_MISSING'
    | 'LIVE_FORBIDDEN'
    | 'LIVE_LISTING_INCOMPLETE';
  readonly message: string;
}

/** True if nothing failed: no operation reads the kind, or the tenant does not have it. */
export function isSettled({ structural, code }: Pick<Unreadable, 'structural' | 'code'>): boolean {
  return structural || code === 'LIVE_NOT_ON_TENANT';
}

export interface Readable<Live> {
  readonly readable: true;
  readonly items: readonly Live[];
  /** True if only one identity was read: the number of other items is unknown. */
  readonly filtered: boolean;
  /** What was read beside them, and is not decided: it shows what an action of the plan leads to. Default: nothing. */
  readonly beside?: readonly Live[];
  /** Keys of undeclared items, where `items` has only declared ones. Absent if they were not read. */
  readonly undeclared?: readonly string[];
  /** True if undeclared items were not looked for, although every declared one was. */
  readonly isPart?: true;
  /** Items with fields that are not as their schema describes them. */
  readonly odd?: OddFields<Live>;
  /** What items have beside their described fields; absent for an item that has nothing. */
  readonly more?: ReadonlyMap<Live, LiveParts>;
}

export interface LiveParts {
  /** JSON pointers of what the response has and a plan must not: secrets, and what is not described. */
  readonly others: readonly string[];
  /** Elements that have a reading of their own, where the files declare any, by the name of their resource. */
  readonly nested: Readonly<Record<string, Elements>>;
  /** Who has elements of its sets that others name; absent if nothing of them is removed. */
  readonly holders?: { readonly readable: true; readonly items: readonly ElementHolder[] } | Unreadable;
}

/** An item of another kind that can have elements of a set, such as a role that can have scopes of an API. */
export interface ElementHolder {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string;
  /** What identifies those that it has of this set. */
  readonly elements: ReadonlySet<string>;
  /** How many it has in all, of whichever set. */
  readonly parts: number;
}

/** `gone`: the service says that the item which has them does not exist. */
export type Elements =
  | { readonly readable: true; readonly items: readonly object[] }
  | (Unreadable & { readonly gone?: true });

/** The live state of a kind. Unknown is a value of its own, never an empty list. */
export type LiveState<Live> = Readable<Live> | Unreadable;

/** The live state of a kind from a listing. */
export function liveState<Item>(
  listing: Pick<Listed<Item>, 'ok' | 'items' | 'odd'> | NotRead,
  filtered: boolean,
): LiveState<Item> {
  if (!listing.ok) return listing.why;
  const { items, odd } = listing;
  return { readable: true, filtered, items, ...(odd !== undefined && { odd }) };
}
