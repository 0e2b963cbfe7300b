import { buildPath } from '../../contract/path.ts';
import { encodeQuery } from '../../contract/query.ts';
import { readValue } from '../../contract/read-value.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { ItemRead } from '../../model/kind.ts';
import type { GetOperation, ListOperation } from '../../model/operation.ts';
import type { Count, Glance, Listing, PathParams, Reader, Reading } from '../../model/reader.ts';
import { retryPolicies } from '../retry/retry-policy.ts';
import { authorizedRetries } from '../retry/send-authorized.ts';
import { ServiceError } from '../service-error.ts';
import type { Session } from '../session.ts';
import { describeSchemaError } from '../transport/describe-response.ts';
import type { ReadTransport } from '../transport/read-transport.ts';
import { openListings } from './list-pages.ts';
import { countOf, countQuery, type PageQuery } from './pager.ts';
import { classifyRead, forbidden, incomplete, parseBody, type ReadPolicy, type SendRead } from './responses.ts';

export interface TenantReader extends Reader {
  readonly glance: Glance;
  /**
   * An item as the service returns it, with secrets and with fields that are not known, for a request that sends them back. No
   * plan, report or file may have any of it.
   */
  getComplete(operation: GetOperation, path: string): Promise<Reading<CompleteItem>>;
}

interface CompleteItem {
  readonly complete: unknown;
  readonly read: ItemRead;
}

/** Reads items and listings over a transport that can only read. */
export function tenantReader(session: Session, transport: ReadTransport): TenantReader {
  const send: SendRead = async (operation, path, policy: ReadPolicy = retryPolicies.GET) => {
    if (operation.method !== 'GET') throw new InternalError(`${operation.id} is not a read operation`);
    const { signal = session.signal } = policy;
    const get = (token: string) => transport.get(session.basePath + path, token, signal);
    const result = await authorizedRetries({ ...session, signal }, operation, policy, get)();
    return { result, arrivedAt: session.clock.monotonic() };
  };
  const fetchJson = async (operation: GetOperation | ListOperation, path: string, policy?: ReadPolicy) => {
    const response = classifyRead(session, operation, path, '', await send(operation, path, policy));
    return response.ok ? parseBody(operation, '', response.response) : response;
  };

  const listAll = openListings(session, send);

  const readOne = async (operation: GetOperation, path: string, policy?: ReadPolicy) => {
    const response = await fetchJson(operation, path + encodeQuery(operation.query?.sent ?? {}), policy);
    if (!response.ok) return response;
    const read = readValue(operation.response, response.value);
    if (!read.ok)
      return incomplete(operation, session.sanitizer.sanitize(describeSchemaError(operation.response, read.error)));
    session.emit({ type: 'read', operation: operation.id, items: 1, total: 1 });
    return { ...read, complete: response.value };
  };
  const getOne = async (operation: GetOperation, path: string, policy?: ReadPolicy): Promise<Reading<unknown>> => {
    const read = await readOne(operation, path, policy);
    if (!read.ok) return read;
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
    const response = await fetchJson(operation, path);
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
    getComplete: async (operation, path) => {
      const read = await readOne(operation, path);
      if (!read.ok) return read;
      const { complete, value, odd } = read;
      return { ok: true, value: { complete, read: { value: value as object, odd } } };
    },
    count: (operation, params) => count(operation as ListOperation, params),
  };
}
