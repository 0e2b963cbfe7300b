import { readValue } from '../../contract/read-value.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { OddField } from '../../model/reader.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { describeSchemaError } from '../transport/describe-response.ts';
import type { Pager } from './pager.ts';

/**
 * Collects the items of a listing's pages and checks that the pages fit together. A cursor or an item that was seen
 * before means that they do not, and no deletion may be planned on such a list.
 */
export interface PageCollector {
  readonly items: readonly unknown[];
  /** The items with fields that are not as their schema describes them. */
  readonly odd: ReadonlyMap<unknown, readonly OddField[]>;
  /** Returns the page when it is valid and fits, else its first error. Called once for each page, in order. */
  add(page: unknown): CollectedPage | NoPage;
}

export interface CollectedPage {
  readonly ok: true;
  readonly value: Readonly<Record<string, unknown>>;
  readonly count: number;
}

interface NoPage {
  readonly ok: false;
  readonly why: string;
}

export function collectPages({ paging, item: shape }: ListOperation, pager: Pager): PageCollector {
  const items: unknown[] = [];
  const odd = new Map<unknown, readonly OddField[]>();
  const seen = new Set<unknown>();

  const addItem = (raw: unknown, index: number): string | null => {
    const read = readValue(shape, raw);
    if (!read.ok) return describeSchemaError(shape, read.error, `/${paging.items}/${index}`) + idOf(raw);
    const identity = paging.identity.map((field) => memberOf(read.value, field));
    const key = identity.length === 1 ? identity[0] : JSON.stringify(identity);
    if (seen.has(key))
      return `the item with the ${paging.identity.join(' and the ')} ${identity.join(' and ')} is listed twice`;
    seen.add(key);
    items.push(read.value);
    if (read.odd.length > 0) odd.set(read.value, read.odd);
    return null;
  };
  const add: PageCollector['add'] = (page) => {
    const more = memberOf(page, paging.items);
    if (Array.isArray(page)) return noPage('it is a list without totals, although totals were requested');
    if (!Array.isArray(more)) return noPage(`it has no list "${paging.items}"`);
    const status = memberOf(page, 'statusCode');
    if (typeof status === 'number' && status >= 400) return noPage(`it reports the status ${status}`);
    if (more.length > paging.maxTake)
      return noPage(`it has ${more.length} items, although at most ${paging.maxTake} were requested`);
    for (const [index, item] of more.entries()) {
      const why = addItem(item, index);
      if (why !== null) return noPage(why);
    }
    const value = page as Readonly<Record<string, unknown>>;
    const why = pager.mismatch(value, more);
    return why === null ? { ok: true, value, count: more.length } : noPage(why);
  };
  return { items, odd, add };
}

const noPage = (why: string): NoPage => ({ ok: false, why });

/** The id of an item, so that people can find it. */
function idOf(item: unknown): string {
  const id = memberOf(item, 'id');
  return typeof id === 'string' ? `; the item's id is ${id}` : '';
}
