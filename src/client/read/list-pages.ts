import { hash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { buildPath } from '../../contract/path.ts';
import { encodeQuery } from '../../contract/query.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { Listed, Listing, NotRead, PathParams } from '../../model/reader.ts';
import { retryPolicies } from '../retry/retry-policy.ts';
import type { Session } from '../session.ts';
import { describeSchemaError } from '../transport/describe-response.ts';
import type { HttpResponse } from '../transport/exchange.ts';
import { collectPages, maxPagesAhead, type PageQuery, pagerFor } from './pager.ts';
import { classifyRead, incomplete, parseBody, type RawResponse, type SendRead, type SentRead } from './responses.ts';

/** A listing of several pages as it was read last. */
interface KnownListing {
  readonly listing: Listed<unknown>;
  readonly pages: readonly KnownPage[];
}

interface KnownPage {
  readonly path: string;
  /** Of the bytes of its response. */
  readonly digest: string;
  readonly items: number;
}

/**
 * Reads every page of a listing once, or returns why it could not (service specification 4.1, 4.5). If every page is byte for
 * byte what it was when the listing was read last, the result has the same items as then, and nothing is parsed.
 */
export function openListings(session: Session, send: SendRead) {
  const known = new Map<string, KnownListing>();
  return async (operation: ListOperation, query: PageQuery, params: PathParams): Promise<Listing<unknown>> => {
    if (operation.paging === undefined) throw new InternalError(`${operation.id} is not a listing`);
    const pathOf = (page: PageQuery) => buildPath(operation, params) + encodeQuery(page);
    const requests = openRequests(session, operation, send);
    const before = known.get(pathOf(query));
    try {
      const same = before === undefined ? null : await readSame(before, requests);
      if (same !== null) return same;
      const read = await readPages({ session, operation, query, pathOf, requests });
      known.delete(pathOf(query));
      if (!('listing' in read)) return read;
      if (read.pages.length > 1 && read.listing.changed === undefined) known.set(pathOf(query), read);
      return read.listing;
    } finally {
      await requests.end();
    }
  };
}

type Requests = ReturnType<typeof openRequests>;

/** Each page is requested once. `end` aborts those that are not needed any more. */
function openRequests(session: Session, operation: ListOperation, send: SendRead) {
  const requested = new Map<string, Promise<SentRead>>();
  const ended = new AbortController();
  const abort = () => ended.abort();
  session.signal.addEventListener('abort', abort);
  // Every request in flight listens to it.
  setMaxListeners(0, ended.signal);
  const policy = { ...retryPolicies.GET, signal: ended.signal };
  // A tenant that returns a page has the feature.
  const later: ListOperation = { ...operation, lacking: [] };
  return {
    request: (path: string): void => {
      if (requested.has(path)) return;
      const sent = send(operation, path, policy);
      sent.catch(() => {});
      requested.set(path, sent);
    },
    /** Of a page that was requested. */
    response: async (path: string, number: number): Promise<RawResponse | NotRead> =>
      classifyRead(
        session,
        number === 1 ? operation : later,
        path,
        `page ${number}: `,
        (await requested.get(path)) as SentRead,
      ),
    forget: (path: string) => requested.delete(path),
    show: (items: number, total: number): void => session.emit({ type: 'read', operation: operation.id, items, total }),
    end: async (): Promise<void> => {
      session.signal.removeEventListener('abort', abort);
      abort();
      await Promise.allSettled(requested.values());
    },
  };
}

/** The known listing, if each of its pages is as it was. Several are requested at once. */
async function readSame(
  { listing, pages }: KnownListing,
  { request, response, show }: Requests,
): Promise<Listed<unknown> | null> {
  let arrivedAt: number | null = null;
  let total = 0;
  for (const [index, { path, digest, items }] of pages.entries()) {
    // The first page shows whether the service gives the same cursors again.
    for (const ahead of pages.slice(index, index === 0 ? 1 : index + maxPagesAhead)) request(ahead.path);
    const page = await response(path, index + 1);
    if (!page.ok || digestOf(page.response) !== digest) return null;
    arrivedAt ??= page.arrivedAt;
    total += items;
    show(items, total);
  }
  return { ...listing, arrivedAt: arrivedAt ?? 0 };
}

interface Asked {
  readonly session: Session;
  readonly operation: ListOperation;
  readonly query: PageQuery;
  pathOf(page: PageQuery): string;
  readonly requests: Requests;
}

async function readPages({ session, operation, query, pathOf, requests }: Asked): Promise<KnownListing | NotRead> {
  const { request, response, forget, show } = requests;
  const pager = pagerFor(operation, query);
  const collector = collectPages(operation, pager);
  const invalid = (why: string) => incomplete(operation, session.sanitizer.sanitize(why));
  // Pages are requested while the ones before them are validated. If one is invalid, those after it are ignored.
  const paths: string[] = [];
  const requestNext = (page: PageQuery) => {
    paths.push(pathOf(page));
    request(pathOf(page));
  };
  requestNext(pager.first);
  const pages: KnownPage[] = [];
  let size = 0;
  let arrivedAt = 0;
  for (const path of paths) {
    const number = pages.length + 1;
    const page = await response(path, number);
    if (!page.ok) return page;
    forget(path);
    if (number === 1) arrivedAt = page.arrivedAt;
    size += page.response.body.bytes.length;
    const parsed = parseBody(operation, `page ${number}: `, page.response);
    if (!parsed.ok) return parsed;
    let noNext: string | null = null;
    for (const next of pager.next(parsed.value)) {
      noNext ??= whyNotSent(session, operation, next, { number: paths.length, size });
      if (noNext === null) requestNext(next);
    }
    // Lets the requests for the next pages leave first: a connection that is used again is checked for one turn.
    await setImmediate();
    await setImmediate();
    const added = collector.add(parsed.value);
    if (!added.ok) return invalid(`page ${number}: ${added.why}`);
    pages.push({ path, digest: digestOf(page.response), items: added.count });
    show(added.count, collector.items.length);
    if (noNext !== null) return invalid(noNext);
  }
  const { items, odd, firstChange } = collector;
  const several = pages.length > 1 && { pages: pages.length };
  const why = firstChange();
  const changed = why !== null && { changed: session.sanitizer.sanitize(why) };
  return { listing: { ok: true, items, arrivedAt, ...several, ...changed, ...(odd.size > 0 && { odd }) }, pages };
}

function digestOf({ body }: HttpResponse): string {
  return hash('sha256', body.bytes, 'base64');
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
