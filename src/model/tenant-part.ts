/**
 * What a kind contributes to the embedded tenant: its slice of the state and an answer per operation row. Routing, scopes,
 * the judgement of requests and of answers, and storage are the tenant's own and the same for every kind.
 */
import type { Operation } from './operation.ts';
import type { SeededResourceServer } from './resource-servers.generated.ts';

/** A request that its operation's schemas have accepted. */
export interface TenantRequest<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A refusal carries a message in place of a body; the tenant puts it into the service's error shape. */
export type TenantAnswer =
  | { readonly status: number; readonly body?: unknown }
  | { readonly status: number; readonly message: string; readonly errorCode?: string };

/**
 * - `answer` may change the slice only when it returns the row's success status.
 * - It is synchronous, so that two requests never see half of a change.
 */
export interface TenantRoute<Params = unknown, Query = unknown, Body = unknown> {
  readonly operation: Operation<Params, Query, Body>;
  answer(request: TenantRequest<Params, Query, Body>): TenantAnswer;
}

export interface TenantSlice {
  readonly routes: readonly TenantRoute[];
  /** The slice in the form of the seed. */
  snapshot(): unknown;
}

export interface Identified {
  readonly id: string;
}

/** Where a page starts: at an id or behind it; the id itself need not exist (any more). */
export type PageStart = { readonly at: string } | { readonly after: string } | null;

export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** The first item behind the page, or null when the page is the last one. */
  readonly following: Item | null;
}

/** Items in the order of their ids, so that a place among them outlives inserts and deletes. */
export interface OrderedItems<Item extends Identified> {
  readonly all: readonly Item[];
  page(start: PageStart, take: number, accepts: (item: Item) => boolean): PageOf<Item>;
  find(id: string): Item | undefined;
  /** Adds the item, or puts it in the place of the one with its id. */
  put(item: Item): void;
  /** False when there is no such item. */
  remove(id: string): boolean;
}

/** What the tenant lends to its parts: kinds may not import each other, nor the tenant. */
export interface TenantTools {
  order<Item extends Identified>(items: readonly Item[]): OrderedItems<Item>;
  /** The prefix, an underscore and a fresh UUID of that version in base 58 (public facts 1.4, 4.3). */
  newId(prefix: string, version: 4 | 7): string;
  /** The tenant's time. */
  now(): Date;
  /** The APIs that exist, with their permissions; null when the seed does not say, and then every one exists. */
  readonly resourceServers: readonly SeededResourceServer[] | null;
}

export interface TenantPart<Section = unknown> {
  /** Key of the seed. */
  readonly section: string;
  /** Opens the slice from a seeded section that the seed's schema has accepted. */
  open(section: Section | undefined, tools: TenantTools): TenantSlice;
}
