/** A query of a listing by page number (public facts 2.2). */
export interface NumberedPageQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: 'true' | 'false';
}

/** The body of a page: an object with totals, otherwise a bare list. A page past the end is empty. */
export function numberedPage(
  { items: key, defaultTake }: { readonly items: string; readonly defaultTake: number },
  items: readonly object[],
  query: NumberedPageQuery,
): unknown {
  const limit = query.per_page ?? defaultTake;
  const start = (query.page ?? 0) * limit;
  const page = items.slice(start, start + limit);
  return query.include_totals === 'true' ? { [key]: page, start, limit, total: items.length } : page;
}
