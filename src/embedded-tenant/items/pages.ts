import type { ListOperation, Paging } from '../../model/operation.ts';
import type { Behavior } from './behavior.ts';
import type { Item, ItemStore } from './item-store.ts';

/** A query of a listing by page number (public facts 2.2). */
export interface NumberedPageQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: 'true' | 'false';
}

/** A query of any listing, with the filters of the operation. */
export interface ListQuery extends NumberedPageQuery {
  readonly from?: string;
  readonly take?: number;
  readonly fields?: string;
  readonly include_fields?: 'true' | 'false';
  readonly [filter: string]: unknown;
}

/** Filters combine with AND, and only those of the operation are filters. */
export function pageOf(
  { filters = [], paging }: ListOperation,
  query: ListQuery,
  store: Pick<ItemStore, 'all' | 'page'>,
  show: (item: Item) => Item = (item) => item,
  behaviors: Behavior['filters'] = {},
): unknown {
  const wanted = filters.filter((name) => query[name] !== undefined);
  const accepts = (item: Item) => wanted.every((name) => (behaviors[name] ?? hasValue(name))(show(item), query[name]));
  if (paging.style === 'page') return numberedPage(paging, store.all.filter(accepts), query, show);
  if (paging.style === 'none') return store.all.filter(accepts).map(show);
  const { items, ...next } = store.page(query.from ?? '', query.take ?? paging.defaultTake, accepts);
  return { [paging.items]: items.map(show), ...next };
}

/** A query has texts. A parameter that is repeated selects by each of its values. */
function hasValue(name: string): (item: Item, value: unknown) => boolean {
  return ({ [name]: own }, value) => [value].flat().some((one) => String(one) === String(own));
}

/** The body of a page: an object with totals, otherwise a bare list. A page past the end is empty. */
export function numberedPage<Listed>(
  { items: key, defaultTake }: Pick<Paging, 'items' | 'defaultTake'>,
  items: readonly Listed[],
  query: NumberedPageQuery,
  show: (item: Listed) => unknown = (item) => item,
): unknown {
  const limit = query.per_page ?? defaultTake;
  const start = (query.page ?? 0) * limit;
  const page = items.slice(start, start + limit).map(show);
  return query.include_totals === 'true' ? { [key]: page, start, limit, total: items.length } : page;
}
