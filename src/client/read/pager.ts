import { readValue } from '../../contract/read-value.ts';
import type { ListOperation, Paging } from '../../model/operation.ts';
import type { Count, OddField } from '../../model/reader.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { describeSchemaError } from '../transport/describe-response.ts';

export type PageQuery = Readonly<Record<string, unknown>>;

/**
 * How to go through a listing. `next` reads a response before it is validated, so that pages can be requested meanwhile;
 * `mismatch` reads a page whose items are valid. Both are called once for each page, in order.
 */
interface Pager {
  readonly first: PageQuery;
  /** The queries for the pages that this response shows first; none when it shows none or is malformed. */
  next(value: unknown): readonly PageQuery[];
  /** Why this page does not fit the ones before it, or null. */
  mismatch(page: unknown): Mismatch | null;
}

/** `changed`: the pages may be of two states of the list, so it is worth reading again. */
interface Mismatch {
  readonly why: string;
  readonly changed: boolean;
}

const broken = (why: string): Mismatch => ({ why, changed: false });
const changed = (why: string): Mismatch => ({ why, changed: true });

export function pagerFor({ paging }: ListOperation, query: PageQuery): Pager {
  const { style } = paging;
  if (style === 'none') return { first: query, next: () => [], mismatch: () => null };
  return style === 'cursor' ? cursorPager(paging, query) : numberPager(paging, query);
}

/** The items of a page, if it has a list of them. */
function listIn(page: unknown, { style, items }: Pick<Paging, 'style' | 'items'>): unknown {
  return style === 'none' ? page : memberOf(page, items);
}

/**
 * The response's `next` is the cursor of the page after it (service specification 2.2, 2.3). A cursor that came before
 * is a loop.
 */
function cursorPager({ maxTake }: Paging, query: PageQuery): Pager {
  const first: PageQuery = { ...query, take: maxTake };
  const seen = new Set<unknown>([first['from']]);
  return {
    first,
    next: (value) => {
      const cursor = cursorOf(value);
      return cursor === null || seen.has(cursor) ? [] : [{ ...first, from: cursor }];
    },
    mismatch: (page) => {
      const next = memberOf(page, 'next');
      if (!isText(next) && next !== null && next !== undefined) return broken('its next is not text');
      const cursor = cursorOf(page);
      if (cursor === null) return null;
      if (seen.has(cursor)) return broken('a cursor was returned before');
      seen.add(cursor);
      return null;
    },
  };
}

/** Text with a lone surrogate cannot be sent in a query. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

/** Without a cursor the listing ends; other clients read null and "" in the same way. */
function cursorOf(value: unknown): string | null {
  const next = memberOf(value, 'next');
  return isText(next) && next !== '' ? next : null;
}

/** The maximum number of pages that are requested before the one that precedes them has arrived. */
export const maxPagesAhead = 8;

/**
 * Pages have numbers, and a response contains its start, the page length and the total number of items (public facts
 * 2.2), so several pages can be requested at once, and the last one is known without requesting an empty one. The page
 * length is the response's: a service may allow less than was requested.
 */
function numberPager({ items: key, maxTake }: Paging, query: PageQuery): Pager {
  const queryOf = (page: number, per_page: number) => ({ ...query, page, per_page, include_totals: 'true' });
  let total: number | null = null;
  let expected = 0;
  /** How many pages were requested. */
  let requested = 1;
  return {
    first: queryOf(0, maxTake),
    next: (value) => {
      const totals = totalsOf(value, key);
      if (totals === null || totals.count !== totals.limit || totals.end % totals.limit !== 0) return [];
      const { end, limit } = totals;
      const from = requested;
      requested = Math.max(from, Math.min(Math.ceil(totals.total / limit), end / limit + maxPagesAhead));
      return Array.from({ length: requested - from }, (_, index) => queryOf(from + index, limit));
    },
    mismatch: (page) => {
      const totals = totalsOf(page, key);
      if (totals === null) return broken('it has no valid totals');
      const [before, start] = [total, expected];
      total = totals.total;
      expected = totals.end;
      if (before !== null && before !== total) return changed(`the total changed from ${before} to ${total} items`);
      if (totals.end > totals.total) return broken(`it ends at item ${totals.end}, but the total is ${totals.total}`);
      if (totals.end < totals.total && (totals.count === 0 || totals.count !== totals.limit))
        return broken(`it has ${totals.count} instead of ${totals.limit} items`);
      if (totals.start === start) return null;
      return { why: `it starts at ${totals.start} instead of ${start}`, changed: before !== null };
    },
  };
}

/** The query for one page that shows how many items there are: the smallest with totals, or the longest without. */
export function countQuery({ style, maxTake }: Paging): PageQuery {
  if (style === 'none') return {};
  return style === 'cursor' ? { take: maxTake } : { page: 0, per_page: 1, include_totals: 'true' };
}

/** The number of items of the listing that a page is of; null if the page does not show it. */
export function countOf(page: unknown, { items, style }: Paging): Count | null {
  if (style !== 'page') {
    const listed = listIn(page, { style, items });
    return Array.isArray(listed) ? { items: listed.length, hasMore: cursorOf(page) !== null } : null;
  }
  const totals = totalsOf(page, items);
  return totals === null || totals.end > totals.total ? null : { items: totals.total, hasMore: false };
}

function totalsOf(value: unknown, key: string) {
  if (typeof value !== 'object' || value === null) return null;
  const { start, limit, total, [key]: items } = value as Readonly<Record<string, unknown>>;
  if (!isCount(start) || !isCount(limit) || !isCount(total) || !Array.isArray(items)) return null;
  return { start, limit, total, count: items.length, end: start + items.length };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Collects the items of a listing's pages and checks that the pages fit together. A cursor that was seen before means that
 * they do not; an item that was seen before, or another total, that the list changed while it was read.
 */
export function collectPages({ paging, item: shape }: ListOperation, pager: Pager) {
  const items: unknown[] = [];
  /** The items with fields that are not as their schema describes them. */
  const odd = new Map<unknown, readonly OddField[]>();
  /** The page of each item, by what identifies it. */
  const seen = new Map<unknown, number>();
  let number = 0;
  let firstChange: string | null = null;
  const noteChange = (why: string) => {
    firstChange ??= `page ${number}: ${why}`;
  };

  const addItem = (raw: unknown, index: number): string | null => {
    const read = readValue(shape, raw);
    if (!read.ok) return describeSchemaError(shape, read.error, `/${paging.items}/${index}`) + idOf(raw);
    const identity = paging.identity.map((field) => memberOf(read.value, field));
    const key = identity.length === 1 ? identity[0] : JSON.stringify(identity);
    const page = seen.get(key);
    if (page !== undefined) {
      const why = `the item with the ${paging.identity.join(' and the ')} ${identity.join(' and ')} is listed twice`;
      if (page === number) return why;
      noteChange(why);
      return null;
    }
    seen.set(key, number);
    items.push(read.value);
    if (read.odd.length > 0) odd.set(read.value, read.odd);
    return null;
  };
  /** Returns its number of items when the page is valid and fits, else its first error. Called for each page in order. */
  const add = (page: unknown) => {
    number += 1;
    const more = listIn(page, paging);
    if (!Array.isArray(more))
      return noPage(paging.style === 'none' ? 'it is no list' : `it has no list "${paging.items}"`);
    const status = memberOf(page, 'statusCode');
    if (typeof status === 'number' && status >= 400) return noPage(`it reports the status ${status}`);
    if (paging.style !== 'none' && more.length > paging.maxTake)
      return noPage(`it has ${more.length} items, although at most ${paging.maxTake} were requested`);
    for (const [index, item] of more.entries()) {
      const why = addItem(item, index);
      if (why !== null) return noPage(why);
    }
    const mismatch = pager.mismatch(page);
    if (mismatch?.changed === false) return noPage(mismatch.why);
    if (mismatch !== null) noteChange(mismatch.why);
    return { ok: true, count: more.length } as const;
  };
  return { items, odd, add, firstChange: () => firstChange };
}

const noPage = (why: string) => ({ ok: false, why }) as const;

/** The id of an item, so that people can find it. */
function idOf(item: unknown): string {
  const id = memberOf(item, 'id');
  return typeof id === 'string' ? `; the item's id is ${id}` : '';
}
