/** An operation of the service as one typed row: the client, the embedded tenant and the documentation all read it. */

/** An error that a compiled schema found; `instancePath` is a JSON pointer into the value. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A compiled schema. Never changes the value; after `false`, `errors` has all errors. */
export interface Validate<T> {
  (value: unknown): value is T;
  errors?: readonly SchemaError[] | null;
}

/** A schema by name: `file#/$defs/definition` below `schemas/`. */
export interface Shape<T> {
  readonly schema: string;
  readonly validate: Validate<T>;
}

/**
 * A schema that is read by: what the service returns may have more than what is known today (ADR 20).
 *
 * - `exact` accepts what the schema describes, and no other field; after `false`, `errors` has all errors
 * - `tolerant` accepts every value that can be used; it stops at the first error
 */
export interface ReadShape<T> extends Shape<T> {
  readonly exact: Validate<T>;
  readonly tolerant: Validate<T>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The operations that the files of a tenant allow: `documented` is the five of the service specification, `full` adds
 * those of the public facts.
 */
export type ApiLevel = 'documented' | 'full';

/** The release lifecycle of an operation (service specification 9). */
export const lifecycles = ['early access', 'generally available', 'deprecated', 'planned', 'beta'] as const;

export type Lifecycle = (typeof lifecycles)[number];

export type Encoding = 'application/json' | 'application/x-www-form-urlencoded';

/**
 * How a listing is paged.
 *
 * - `cursor`: `next` of a response becomes `from` of the next query (service specification 2.2, 2.3)
 * - `page`: pages are numbered from 0, and a response has its start and the total number of items (public facts 2.2)
 * - `none`: the response is the list of all items
 */
export interface Paging {
  readonly style: 'cursor' | 'page' | 'none';
  /** Key of the items in a page; empty if the response is their list. */
  readonly items: string;
  /** Fields that identify an item. */
  readonly identity: readonly string[];
  /** Largest page (service specification 8, public facts 2.2). */
  readonly maxTake: number;
  readonly defaultTake: number;
}

/**
 * Where a row comes from: `documented` in a section of the service specification, `public` in a section of the public
 * facts (docs/internals/public-facts.md), or `assumed`, with the same. `assumed` names the cells that the
 * section does not show.
 */
export interface Basis {
  readonly source: 'documented' | 'public' | 'assumed';
  readonly section: string;
  readonly assumed: readonly string[];
}

export interface Operation<Params = unknown, Query = unknown, Body = unknown, Returned = unknown> {
  readonly id: string;
  readonly api: ApiLevel;
  readonly method: Method;
  /** Below the base URL, with `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly scope: string;
  readonly lifecycle: Lifecycle | 'not shown';
  /** Endpoint group with a limit of its own beside the tenant's (public facts 6.2): partials have 5 reads and 5 writes a minute. */
  readonly quota?: string;
  readonly params?: Shape<Params>;
  /** A further rule for the parameters, if the service specification allows fewer values than the public facts. */
  readonly documentedParams?: Shape<unknown>;
  /** `lists`: keys that may be repeated; `sent`: what every read of one thing asks for. */
  readonly query?: Shape<Query> & {
    readonly integers: readonly string[];
    readonly lists?: readonly string[];
    readonly sent?: Readonly<Record<string, string>>;
  };
  /** `integers`: JSON pointers of numbers, which a form carries as text. */
  readonly body?: Shape<Body> & { readonly encodings: readonly Encoding[]; readonly integers?: readonly string[] };
  readonly response?: Shape<Returned> | ReadShape<Returned>;
  readonly paging?: Paging;
  /**
   * Success status. The client accepts 200, 201 and 204 for writes whose status the service specification does not show.
   */
  readonly success: number;
  /** A status that means the item does not exist, which is a success for a delete if the service itself sent it. */
  readonly goneStatus?: number;
  /** A success only says that the deletion was accepted. */
  readonly async?: true;
  /** Errors that mean that the tenant does not have the feature; default: none. */
  readonly lacking?: readonly Lacking[];
  readonly basis: Basis;
}

/** An error of the service by its status and, if it has one of them here, its error code or its message. */
export interface Lacking {
  readonly status: number;
  readonly errorCode?: string;
  readonly message?: RegExp;
  /** Reads one item of the same kind. A wrong path has the same response, so the service must not know this operation either. */
  readonly confirmedBy?: GetOperation<ItemParams>;
}

/** An operation that reads one thing. */
export interface GetOperation<Params = unknown, Returned = unknown, Query = unknown>
  extends Operation<Params, Query, never, Returned> {
  readonly method: 'GET';
  readonly response: ReadShape<Returned>;
}

/** A listing. `response` is a page, as the embedded tenant returns it; `item` is what the items of a page are read by. */
export interface ListOperation<Query = unknown, Item = unknown, Params = unknown>
  extends Operation<Params, Query, never, unknown> {
  readonly method: 'GET';
  readonly response: Shape<unknown>;
  readonly paging: Paging;
  readonly item: ReadShape<Item>;
  /** Query parameters that select items; default: none. */
  readonly filters?: readonly string[];
  /** The query that selects the items which files manage; default: none. */
  readonly selects?: Readonly<Record<string, string>>;
  /** The filter that finds a name, perhaps among others. */
  readonly byName?: string;
  /** Reads the item that its path names: only that shows that the item is gone. */
  readonly of?: GetOperation<Params>;
}

/** Why an id is not sent in the path of the operation; null if it is. */
export function idProblem({ params }: Operation, id: string): string | null {
  if (params === undefined || params.validate({ id })) return null;
  const tooLong = params.validate.errors?.find(({ keyword }) => keyword === 'maxLength');
  const limit = String(tooLong?.params['limit']);
  return tooLong === undefined
    ? null
    : `its id is longer than the ${limit} characters that the service specification allows`;
}

/**
 * The id in the path of a request of an operation; null if the operation has none, or if it is a reference to a new item.
 *
 *   /clients/{id}/credentials     /clients/cli_1/credentials     cli_1
 *   /clients                      /clients                       null
 */
export function idIn({ path }: Pick<Operation, 'path'>, requestPath: string): string | null {
  const id = requestPath.split('/')[path.split('/').indexOf('{id}')];
  return id === undefined || id.startsWith('{') ? null : decodeURIComponent(id);
}

/** True when files that allow this level of operations may use the operation. */
export function isAvailable({ api }: Pick<Operation, 'api'>, level: ApiLevel): boolean {
  return api === 'documented' || level === 'full';
}

/** The operations of a resource whose items are listed, and created, changed and deleted one by one. */
export interface ItemOperations<Live = unknown> {
  // biome-ignore lint/suspicious/noExplicitAny: every resource has filters of its own
  readonly list: ListOperation<any, Live>;
  readonly get?: GetOperation<ItemParams, Live>;
  // biome-ignore lint/suspicious/noExplicitAny: every resource has bodies of its own
  readonly create?: Operation<never, never, any, Live>;
  // biome-ignore lint/suspicious/noExplicitAny: every resource has bodies of its own
  readonly update?: Operation<ItemParams, never, any, Live>;
  readonly delete?: Operation<ItemParams>;
}

/** Parameters of the path to one item. */
export interface ItemParams {
  readonly id: string;
}
