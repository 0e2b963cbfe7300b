import type { Unreadable } from './live-state.ts';
import type { GetOperation, ListOperation } from './operation.ts';

/** Why something was not read; `status` and `said` are the service's last answer, null when there was none or it said nothing. */
export interface NotRead {
  readonly ok: false;
  readonly why: Unreadable;
  readonly status: number | null;
  readonly said: string | null;
}

/** The result of reading every page of a listing. Anything short of every page is a reason, not a list. */
export type Listing<Item> = { readonly ok: true; readonly items: readonly Item[]; readonly pages?: number } | NotRead;

export type Reading<Answer> = { readonly ok: true; readonly value: Answer } | NotRead;

/** Values of the path's parameters. */
export type PathParams = Readonly<Record<string, string>>;

/** The read-only side of the tenant. Requests that are asked for together are sent together, up to a bound of its own. */
export interface Reader {
  list<Query extends object, Item>(
    operation: ListOperation<Query, Item>,
    query: Query,
    params?: PathParams,
  ): Promise<Listing<Item>>;
  get<Answer>(operation: GetOperation<unknown, Answer>, params: PathParams): Promise<Reading<Answer>>;
}
