import { setImmediate } from 'node:timers/promises';
import { buildPath } from '../../contract/path.ts';
import { encodeQuery } from '../../contract/query.ts';
import { readValue } from '../../contract/read-value.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { GetOperation, ListOperation } from '../../model/operation.ts';
import type { Count, Listing, NotRead, PathParams, Reader, Reading } from '../../model/reader.ts';
import { retryPolicies } from '../retry/retry-policy.ts';
import { sendAuthorized } from '../retry/send-authorized.ts';
import type { Session } from '../session.ts';
import { describeSchemaError } from '../transport/describe-response.ts';
import type { ReadTransport } from '../transport/read-transport.ts';
import { unknownFieldsReporter } from '../unknown-fields.ts';
import { classifyRead, incomplete, type RawResponse } from './classify-read.ts';
import { collectPages } from './collect-pages.ts';
import { countOf, countQuery, type PageQuery, pagerFor } from './pager.ts';

/** Reads every page, or returns why it could not (service specification 4.1, 4.5). */
export function tenantReader(session: Session, transport: ReadTransport): Reader {
  const reportUnknown = session.debug ? unknownFieldsReporter(session.emit) : async () => {};

  const fetchJson = async (operation: GetOperation | ListOperation, path: string, where: string) => {
    if (operation.method !== 'GET') throw new InternalError(`${operation.id} is not a read operation`);
    const send = (token: string) => transport.get(session.basePath + path, token);
    const result = await sendAuthorized(session, operation, retryPolicies.GET, send);
    return classifyRead(session, operation, path, where, result);
  };

  const whyNotSent = (
    { query }: ListOperation,
    next: PageQuery,
    { number, bytes }: { readonly number: number; readonly bytes: number },
  ): string | null => {
    const { maxPages, maxListingBytes } = session.limits;
    if (number >= maxPages) return `more than ${maxPages} pages`;
    if (bytes > maxListingBytes) return `its pages are larger than ${maxListingBytes} bytes in total`;
    if (query === undefined || query.validate(next)) return null;
    return `page ${number + 1} cannot be requested: ${describeSchemaError(query)}`;
  };

  const listAll = async (operation: ListOperation, query: PageQuery, params: PathParams): Promise<Listing<unknown>> => {
    if (operation.paging === undefined) throw new InternalError(`${operation.id} is not a listing`);
    const pager = pagerFor(operation, query);
    const collector = collectPages(operation, pager);
    const fetchPage = (pageQuery: PageQuery, number: number) =>
      fetchJson(operation, buildPath(operation, params) + encodeQuery(pageQuery), `page ${number}: `);
    let response: RawResponse | NotRead = await fetchPage(pager.first, 1);
    const arrivedAt = session.clock.monotonic();
    let bytes = 0;
    for (let number = 1; ; number += 1) {
      if (!response.ok) return response;
      bytes += response.bytes;
      const next = pager.next(response.value);
      const noNext = next === null ? null : whyNotSent(operation, next, { number, bytes });
      // The next page is requested while this one is validated. If this one is invalid, the next one is ignored.
      const following = next === null || noNext !== null ? null : fetchPage(next, number + 1);
      following?.catch(() => {});
      // Lets the request for the next page leave first.
      await setImmediate();
      const page = collector.add(response.value);
      if (!page.ok) {
        await following?.catch(() => {});
        return incomplete(operation, session.sanitizer.sanitize(`page ${number}: ${page.why}`));
      }
      const { items, odd } = collector;
      session.emit({ type: 'page', operation: operation.id, items: page.count, total: items.length });
      await reportUnknown(operation, page.value);
      if (noNext !== null) return incomplete(operation, session.sanitizer.sanitize(noNext));
      if (following === null)
        return { ok: true, items, arrivedAt, ...(number > 1 && { pages: number }), ...(odd.size > 0 && { odd }) };
      response = await following;
    }
  };

  const getOne = async (operation: GetOperation, params: PathParams): Promise<Reading<unknown>> => {
    const response = await fetchJson(operation, buildPath(operation, params), '');
    if (!response.ok) return response;
    const read = readValue(operation.response, response.value);
    if (!read.ok) {
      return incomplete(operation, session.sanitizer.sanitize(describeSchemaError(operation.response, read.error)));
    }
    session.emit({ type: 'page', operation: operation.id, items: 1, total: 1 });
    await reportUnknown(operation, response.value);
    const arrivedAt = session.clock.monotonic();
    return { ok: true, value: read.value, arrivedAt, ...(read.odd.length > 0 && { odd: read.odd }) };
  };

  const count = async (operation: ListOperation, params: PathParams): Promise<Reading<Count>> => {
    const response = await fetchJson(
      operation,
      buildPath(operation, params) + encodeQuery(countQuery(operation.paging)),
      '',
    );
    if (!response.ok) return response;
    const value = countOf(response.value, operation.paging);
    return value === null ? incomplete(operation, 'the page shows no number of items') : { ok: true, value };
  };

  // A response that the operation's schema has accepted has the operation's own type.
  return {
    list: <Query extends object, Item>(operation: ListOperation<Query, Item>, query: Query, params: PathParams = {}) =>
      listAll(operation as ListOperation, query as PageQuery, params) as Promise<Listing<Item>>,
    get: <Returned>(operation: GetOperation<unknown, Returned>, params: PathParams) =>
      getOne(operation, params) as Promise<Reading<Returned>>,
    count: (operation, params) => count(operation as ListOperation, params),
  };
}
