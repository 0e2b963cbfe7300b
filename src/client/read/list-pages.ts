import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { buildPath } from '../../contract/path.ts';
import { encodeQuery } from '../../contract/query.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { Listed, Listing, NotRead, PathParams } from '../../model/reader.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { type RetryPolicy, retryPolicies } from '../retry/retry-policy.ts';
import type { Session } from '../session.ts';
import { describeSchemaError } from '../transport/describe-response.ts';
import { collectPages, maxPagesAhead, type PageQuery, pagerFor } from './pager.ts';
import { type FetchBody, incomplete, parseBody } from './responses.ts';

/** A listing of several pages as it was read last. */
interface KnownListing {
  readonly listing: Listed<unknown>;
  readonly pages: readonly Page[];
}

interface Page {
  readonly ok: true;
  readonly path: string;
  readonly value: unknown;
  /** Number and digest of its bytes. */
  readonly size: number;
  readonly digest: string;
  /** By the monotonic clock. */
  readonly arrivedAt: number;
}

/**
 * Reads every page of a listing, or returns why it could not (service specification 4.1, 4.5). If every page is byte for
 * byte what it was when the listing was read last, the result has the same items as then, and they are not validated again.
 */
export function openListings(session: Session, fetchBody: FetchBody) {
  const known = new Map<string, KnownListing>();
  return async (operation: ListOperation, query: PageQuery, params: PathParams): Promise<Listing<unknown>> => {
    if (operation.paging === undefined) throw new InternalError(`${operation.id} is not a listing`);
    const id = buildPath(operation, params) + encodeQuery(query);
    const read = await readPages(session, fetchBody, { operation, query, params, before: known.get(id) });
    known.delete(id);
    if (!('pages' in read)) return read;
    if (read.pages.length > 1) known.set(id, read);
    return read.listing;
  };
}

interface Asked {
  readonly operation: ListOperation;
  readonly query: PageQuery;
  readonly params: PathParams;
  readonly before: KnownListing | undefined;
}

async function readPages(session: Session, fetchBody: FetchBody, asked: Asked): Promise<KnownListing | NotRead> {
  const { operation, query, params, before } = asked;
  const pager = pagerFor(operation, query);
  const collector = collectPages(operation, pager);
  const { request, responseTo, end } = openRequests(fetchBody, asked);
  const pathOf = (page: PageQuery) => buildPath(operation, params) + encodeQuery(page);
  const invalid = (why: string) => incomplete(operation, session.sanitizer.sanitize(why));
  const paths: string[] = [];
  const requestNext = (page: PageQuery) => request(pathOf(page), paths.push(pathOf(page)) - 1);
  const pages: Page[] = [];
  let isSame = before !== undefined;
  let validated = 0;
  let [size, total] = [0, 0];
  try {
    requestNext(pager.first);
    for (const [index, path] of paths.entries()) {
      // Not before the first page, which shows whether the service gives the same cursors again.
      const likely = isSame && index > 0 ? (before?.pages ?? []).slice(index, index + maxPagesAhead) : [];
      for (const [ahead, page] of likely.entries()) request(page.path, index + ahead);
      const page = await responseTo(path);
      if (!page.ok) return page;
      pages.push(page);
      size += page.size;
      let noNext: string | null = null;
      for (const next of pager.next(page.value)) {
        noNext ??= whyNotSent(session, operation, next, { number: paths.length, size });
        if (noNext === null) requestNext(next);
      }
      isSame &&= before?.pages[index]?.digest === page.digest;
      for (; !isSame && validated < pages.length; validated += 1) {
        // Lets the requests for the next pages leave first: a connection that is used again is checked for one turn.
        await setImmediate();
        await setImmediate();
        const why = collector.add(pages[validated]?.value);
        if (why !== null) return invalid(`page ${validated + 1}: ${why}`);
      }
      const { length } = memberOf(page.value, operation.paging.items) as readonly unknown[];
      total += length;
      session.emit({ type: 'read', operation: operation.id, items: length, total });
      if (noNext !== null) return invalid(noNext);
    }
  } finally {
    await end();
  }
  const arrivedAt = pages[0]?.arrivedAt ?? 0;
  if (isSame && before !== undefined) return { listing: { ...before.listing, arrivedAt }, pages };
  const { items, odd } = collector;
  const several = pages.length > 1 && { pages: pages.length };
  return { listing: { ok: true, items, arrivedAt, ...several, ...(odd.size > 0 && { odd }) }, pages };
}

/**
 * Each page is requested once, and most of them while the ones before them are validated. If one is invalid, those after
 * it are ignored; `end` waits for them.
 */
function openRequests(fetchBody: FetchBody, { operation, before }: Asked) {
  const requested = new Map<string, Promise<Page | NotRead>>();
  let isEnded = false;
  const policy: RetryPolicy = { mayRetry: (exchange) => !isEnded && retryPolicies.GET.mayRetry(exchange) };
  const fetchPage = async (path: string, index: number): Promise<Page | NotRead> => {
    const where = `page ${index + 1}: `;
    const response = await fetchBody(operation, path, where, policy);
    if (!response.ok) return response;
    const { bytes, arrivedAt } = response;
    const digest = createHash('sha256').update(bytes).digest('base64');
    const known = before?.pages[index];
    const parsed = known?.digest === digest ? known : parseBody(operation, where, bytes);
    return parsed.ok ? { ok: true, path, value: parsed.value, size: bytes.length, digest, arrivedAt } : parsed;
  };
  return {
    request: (path: string, index: number): void => {
      if (requested.has(path)) return;
      const page = fetchPage(path, index);
      page.catch(() => {});
      requested.set(path, page);
    },
    responseTo: (path: string) => requested.get(path) as Promise<Page | NotRead>,
    end: async () => {
      isEnded = true;
      await Promise.allSettled(requested.values());
    },
  };
}

function whyNotSent(
  { limits: { maxPages, maxListingBytes } }: Session,
  { query }: ListOperation,
  next: PageQuery,
  { number, size }: { readonly number: number; readonly size: number },
): string | null {
  if (number >= maxPages) return `more than ${maxPages} pages`;
  if (size > maxListingBytes) return `its pages are larger than ${maxListingBytes} bytes in total`;
  if (query === undefined || query.validate(next)) return null;
  return `page ${number + 1} cannot be requested: ${describeSchemaError(query)}`;
}
