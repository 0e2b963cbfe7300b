/**
 * What a resource contributes to the embedded tenant: a store, opened from its section of the seed, and a response for
 * each of its operations. Routing, tokens, scopes, validation and storage are generic.
 */
import type { Operation, Shape } from './operation.ts';

/** A request that the schemas of its operation accept. */
export interface TenantRequest<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A refusal has a message instead of a body; the tenant puts it into the service's error format. */
export type RouteResponse =
  | { readonly status: number; readonly body?: unknown }
  | { readonly status: number; readonly message: string; readonly errorCode?: string };

/** The live state of one resource. */
export interface TenantStore {
  /** The state as a section of the seed; undefined leaves the section out. */
  snapshot(): unknown;
}

/** Access to stores by the resource that owns them: an operation may concern several. */
export interface Stores {
  get<Store extends TenantStore>(resource: Pick<TenantResource<never, Store>, 'section' | 'openStore'>): Store;
}

/** Who sent a request, and to where. */
export interface Caller {
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  /** Those of the token. */
  readonly scopes: ReadonlySet<string>;
}

export interface RouteContext<Store extends TenantStore = TenantStore> extends Caller {
  /** The resource's own store. */
  readonly store: Store;
  readonly stores: Stores;
  /** The prefix, an underscore and a new UUID of that version in base 58 (public facts 1.4, 4.3). */
  newId(prefix: string, version: 4 | 7): string;
  now(): Date;
}

/**
 * - `respond` may change stores only if it returns the operation's success status.
 * - It is synchronous, so that no request sees half of a change.
 */
export interface TenantRoute<
  Store extends TenantStore = TenantStore,
  Params = unknown,
  Query = unknown,
  Body = unknown,
> {
  readonly operation: Operation<Params, Query, Body>;
  respond(request: TenantRequest<Params, Query, Body>, context: RouteContext<Store>): RouteResponse;
}

/** A broken rule in a section of the seed; `pointer` is a JSON pointer into the section. */
export interface SeedProblem {
  readonly pointer: string;
  readonly rule: string;
}

/** Validates one section of the seed. */
export interface SeedSection<Section = unknown> extends Shape<Section> {
  /** Field that must differ between the items of a list. */
  readonly identity?: string;
  /** Rules that a schema cannot express. */
  check?(section: Section): readonly SeedProblem[];
}

export interface TenantResource<Section = unknown, Store extends TenantStore = TenantStore> {
  /** Key in the seed and in the state file. */
  readonly section: string;
  readonly seed: SeedSection<Section>;
  /** Opens the store from a valid section, or undefined if the seed has none. */
  openStore(section: Section | undefined): Store;
  readonly routes: readonly TenantRoute<Store>[];
}
