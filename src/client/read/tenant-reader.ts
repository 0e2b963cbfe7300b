import { setImmediate } from 'node:timers/promises';
import { buildPath } from '../../contract/path.ts';
import { encodeQuery } from '../../contract/query.ts';
import { readValue } from '../../contract/read-value.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import type { Count, Glance, Listing, NotRead, PathParams, Reader, Reading } from '../../model/reader.ts';
import { type RetryPolicy, retryPolicies } from '../retry/retry-policy.ts';
import { authorizedRetries } from '../retry/send-authorized.ts';
import type { SendResult } from '../retry/send-with-retries.ts';
import { ServiceError, unauthorizedError, unreachableError } from '../service-error.ts';
import type { Session } from '../session.ts';
import {
  describeSchemaError,
  explainMissingOperation,
  explainResult,
  isOwnNotFound,
} from '../transport/describe-response.ts';
import { hadNoToken, type ResponseBody } from '../transport/exchange.ts';
import { parseJson } from '../transport/parse-json.ts';
import type { ReadTransport } from '../transport/read-transport.ts';
import { shownMessage } from '../transport/shown-message.ts';
import { collectPages, countOf, countQuery, type PageQuery, pagerFor } from './pager.ts';

/** Reads every page, or returns why it could not (service specification 4.1, 4.5). */
export function tenantReader(session: Session, transport: ReadTransport): Reader & { readonly glance: Glance } {
  const fetchJson = async (
    operation: GetOperation | ListOperation,
    path: string,
    where: string,
    policy: RetryPolicy = retryPolicies.GET,
  ) => {
    if (operation.method !== 'GET') throw new InternalError(`${operation.id} is not a read operation`);
    const send = (token: string) => transport.get(session.basePath + path, token);
    const result = await authorizedRetries(session, operation, policy, send)();
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
    // Pages are requested while the ones before them are validated. If one is invalid, those after it are ignored.
    const following: Promise<RawResponse | NotRead>[] = [];
    let requested = 0;
    let isDecided = false;
    const policy: RetryPolicy = { mayRetry: (exchange) => !isDecided && retryPolicies.GET.mayRetry(exchange) };
    const request = (pageQuery: PageQuery) => {
      requested += 1;
      const path = buildPath(operation, params) + encodeQuery(pageQuery);
      const page = fetchJson(operation, path, `page ${requested}: `, policy);
      page.catch(() => {});
      following.push(page);
    };
    request(pager.first);
    let arrivedAt = 0;
    let bytes = 0;
    let number = 0;
    try {
      for (let fetched = following.shift(); fetched !== undefined; fetched = following.shift()) {
        number += 1;
        const response = await fetched;
        if (!response.ok) return response;
        if (number === 1) arrivedAt = session.clock.monotonic();
        bytes += response.bytes;
        let noNext: string | null = null;
        for (const next of pager.next(response.value)) {
          noNext ??= whyNotSent(operation, next, { number: requested, bytes });
          if (noNext === null) request(next);
        }
        // Lets the requests for the next pages leave first: a connection that is used again is checked for one turn.
        await setImmediate();
        await setImmediate();
        const page = collector.add(response.value);
        if (!page.ok) return incomplete(operation, session.sanitizer.sanitize(`page ${number}: ${page.why}`));
        session.emit({ type: 'read', operation: operation.id, items: page.count, total: collector.items.length });
        if (noNext !== null) return incomplete(operation, session.sanitizer.sanitize(noNext));
      }
    } finally {
      isDecided = true;
      await Promise.allSettled(following);
    }
    const { items, odd } = collector;
    return { ok: true, items, arrivedAt, ...(number > 1 && { pages: number }), ...(odd.size > 0 && { odd }) };
  };

  const getOne = async (operation: GetOperation, path: string, policy?: RetryPolicy): Promise<Reading<unknown>> => {
    const response = await fetchJson(operation, path, '', policy);
    if (!response.ok) return response;
    const read = readValue(operation.response, response.value);
    if (!read.ok)
      return incomplete(operation, session.sanitizer.sanitize(describeSchemaError(operation.response, read.error)));
    session.emit({ type: 'read', operation: operation.id, items: 1, total: 1 });
    const arrivedAt = session.clock.monotonic();
    return { ok: true, value: read.value, arrivedAt, ...(read.odd.length > 0 && { odd: read.odd }) };
  };

  const glance = async (operation: GetOperation, path: string): Promise<Reading<unknown>> => {
    const scopes = await session.tokens.scopes();
    if (scopes?.has(operation.scope) === false) return forbidden(operation, 'the token lacks its scope', null);
    try {
      const read = await getOne(operation, path, { mayRetry: () => false });
      const shown = (_key: string, text: unknown) =>
        typeof text === 'string' ? session.sanitizer.sanitize(text) : text;
      return read.ok ? { ...read, value: JSON.parse(JSON.stringify(read.value), shown) } : read;
    } catch (error) {
      if (error instanceof ServiceError) return incomplete(operation, error.message);
      throw error;
    }
  };

  const count = async (operation: ListOperation, params: PathParams): Promise<Reading<Count>> => {
    const path = buildPath(operation, params) + encodeQuery(countQuery(operation.paging));
    const response = await fetchJson(operation, path, '');
    if (!response.ok) return response;
    const value = countOf(response.value, operation.paging);
    return value === null ? incomplete(operation, 'the page shows no number of items') : { ok: true, value };
  };

  // A response that the operation's schema has accepted has the operation's own type.
  return {
    list: <Query extends object, Item>(operation: ListOperation<Query, Item>, query: Query, params: PathParams = {}) =>
      listAll(operation as ListOperation, query as PageQuery, params) as Promise<Listing<Item>>,
    get: <Returned>(operation: GetOperation<unknown, Returned>, params: PathParams) =>
      getOne(operation, buildPath(operation, params)) as Promise<Reading<Returned>>,
    glance: ((operation: GetOperation, params, query) =>
      glance(operation, buildPath(operation, params) + encodeQuery(query))) as Glance,
    count: (operation, params) => count(operation as ListOperation, params),
  };
}

/** The JSON of a successful response, not yet validated. */
interface RawResponse {
  readonly ok: true;
  readonly value: unknown;
  /** Its length. */
  readonly bytes: number;
}

/**
 * Classifies the result of a read. Throws what ends a run: no token, no host, the caller's signal. `where` names the
 * part that was requested, such as `page 3: `, or is empty.
 */
function classifyRead(
  session: Session,
  operation: GetOperation | ListOperation,
  path: string,
  where: string,
  result: SendResult,
): RawResponse | NotRead {
  const { last } = result;
  // A cursor is the service's own text.
  const shown = shownMessage(session, { path: path.replace(/\bfrom=[^&]*/, '') });
  session.signal.throwIfAborted();
  if (!last.responded && hadNoToken(last.failure)) throw last.failure.cause;
  if (!last.responded && !session.reached()) throw unreachableError(session.host, last.failure, result.tries);
  const status = last.responded ? last.response.status : null;
  if (last.responded && status === operation.success) return parseBody(session, operation, where, last.response.body);
  if (status === 401) throw unauthorizedError(session.host, explainResult(result, shown));
  const serviceMessage = last.responded ? shown(last.response) : null;
  const isGone = last.responded && status === 404 && isOwnNotFound(last.response);
  const why = where + explainResult(result, shown);
  if (status === 403) return forbidden(operation, why, serviceMessage);
  return incomplete(operation, why + explainMissingOperation(operation, last), {
    status,
    serviceMessage,
    ...(isGone && { gone: true }),
  });
}

function parseBody(
  { limits }: Session,
  operation: GetOperation | ListOperation,
  where: string,
  { bytes, error }: ResponseBody,
): RawResponse | NotRead {
  if (error !== null)
    return incomplete(operation, `${where}the response is larger than ${limits.maxResponseBytes} bytes`);
  const parsed = parseJson(bytes);
  if (parsed.ok && Array.isArray(parsed.value))
    return incomplete(operation, `${where}the response is an array where an object was expected`);
  return parsed.ok ? { ok: true, value: parsed.value, bytes: bytes.length } : incomplete(operation, where + parsed.why);
}

/** The result of a read that is not complete: what it was meant to show is unknown. */
function incomplete(
  operation: Operation,
  why: string,
  response: Pick<NotRead, 'status' | 'serviceMessage' | 'gone'> = { status: null, serviceMessage: null },
  code: NotRead['why']['code'] = 'LIVE_LISTING_INCOMPLETE',
): NotRead {
  const message = `${operation.id}: ${why}`;
  return { ok: false, why: { readable: false, structural: false, code, message }, ...response };
}

/**
 * A missing scope and a missing feature of the tenant's plan are both a 403; the service's message distinguishes them
 * (public facts 6.1).
 */
function forbidden(operation: Operation, why: string, serviceMessage: string | null): NotRead {
  const ofScope =
    serviceMessage === null || serviceMessage === 'Forbidden' || serviceMessage.startsWith('Insufficient scope');
  const needs = `the operation needs the scope ${operation.scope}${ofScope ? '' : ' and a tenant with the feature'}`;
  const code = ofScope ? 'LIVE_SCOPE_MISSING' : 'LIVE_FORBIDDEN';
  return incomplete(operation, `${why}; ${needs}`, { status: 403, serviceMessage }, code);
}
