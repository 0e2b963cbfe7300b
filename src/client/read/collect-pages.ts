import type { ListOperation } from '../../model/operation.ts';
import { describeSchemaErrors } from '../transport/describe-response.ts';
import type { Pager } from './pager.ts';

/**
 * Collects the items of a listing's pages and checks that the pages fit together. A cursor or an item that was seen
 * before means that they do not, and no deletion may be planned on such a list.
 */
export interface PageCollector {
  readonly items: readonly unknown[];
  /** Returns the page when it is valid and fits, else why not. Called once for each page, in order. */
  add(page: unknown): CollectedPage | { readonly ok: false; readonly why: string };
}

export interface CollectedPage {
  readonly ok: true;
  readonly value: Readonly<Record<string, unknown>>;
  readonly count: number;
}

export function collectPages(operation: ListOperation, pager: Pager): PageCollector {
  const { paging, response } = operation;
  const items: unknown[] = [];
  const seen = new Set<string>();

  const duplicateIn = (more: readonly unknown[]): string | null => {
    for (const item of more) {
      const identity = paging.identity.map((field) => (item as Readonly<Record<string, unknown>>)[field]);
      const key = JSON.stringify(identity);
      if (seen.has(key))
        return `the item with the ${paging.identity.join(' and the ')} ${identity.join(' and ')} is listed twice`;
      seen.add(key);
    }
    return null;
  };
  const add: PageCollector['add'] = (page) => {
    if (!response.validate(page)) {
      const item = itemAt(page, response.validate.errors?.[0]?.instancePath ?? '');
      return { ok: false, why: describeSchemaErrors(response) + item };
    }
    const value = page as Readonly<Record<string, unknown>>;
    const more = value[paging.items];
    if (!Array.isArray(more)) return { ok: false, why: 'it is a list without totals, although totals were requested' };
    const why = duplicateIn(more) ?? pager.mismatch(value, more);
    if (why !== null) return { ok: false, why };
    items.push(...more);
    return { ok: true, value, count: more.length };
  };
  return { items, add };
}

/** The id of the item that a pointer such as /items/3/name leads into, so that people can find it. */
function itemAt(page: unknown, pointer: string): string {
  const [, key = '', index = ''] = pointer.split('/');
  const item = (page as Readonly<Record<string, Readonly<Record<string, unknown>>>> | null)?.[key]?.[index];
  const id = item !== null && typeof item === 'object' && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? `; the item's id is ${id}` : '';
}
