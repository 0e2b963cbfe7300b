import type { Clock } from '../model/clock.ts';
import {
  type ApiLevel,
  type GetOperation,
  type ItemParams,
  isAvailable,
  type ListOperation,
} from '../model/operation.ts';
import { type Listing, type NotRead, notOnTenant, type PathParams, type Reader } from '../model/reader.ts';
import type { DoubtsOf, ItemSource, Snapshot } from '../model/snapshot.ts';
import { backoffMs } from '../values/backoff.ts';
import { memberOf } from '../values/json-pointer.ts';
import { findItems } from './find-items.ts';
import { type Confirm, readUntilCertain, unclear } from './passes.ts';
import { openShared, type Shared } from './shared.ts';

/** A snapshot with its age, by the monotonic clock. */
export interface DatedSnapshot extends Snapshot {
  /**
   * Of the oldest of all readings that were used: when its first request was asked for, and when its first response
   * arrived; now if none was.
   */
  oldest(): { readonly began: number; readonly arrivedAt: number };
  /** Whether a list was read more than once: then the tenant may have changed in between. */
  isRepeated(): boolean;
}

/** The readings of a run. */
export interface Snapshots {
  /** Readings that are shared from now on; nothing that was read before is used. */
  share(): SharedReadings;
  /** Whether the complete list is the way to read so many items: it takes no more requests, and it can be read in time. */
  prefersList(source: ItemSource<unknown>, items: number): boolean;
  /** Whether a list had an item of an id by now, to be asked later. */
  seenByNow(): (id: string) => boolean;
}

export interface SharedReadings {
  /** What was read since then, by the monotonic clock, or is read now. Default: everything that these readings have. */
  since(time?: number): DatedSnapshot;
}

export interface SnapshotsOptions {
  readonly reader: Reader;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** When it aborts, nothing is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** The operations that the files allow. */
  readonly api: ApiLevel;
  /** Milliseconds: a list that takes longer serves few writes, because they need recent readings. */
  readonly slowMs: number;
  /** Milliseconds: how long a service may take to show what it has accepted. */
  readonly visibleWithinMs: number;
}

/** A longer list takes more requests than the items that wait for it at once. */
const mostPages = 16;

/**
 * The one place that decides what is read, and how often. Several plans of single items share what they read, and so do the
 * kinds of one plan.
 */
export function openSnapshots(options: SnapshotsOptions): Snapshots {
  const { reader, clock, api, slowMs, visibleWithinMs, signal } = options;
  const pages = new Map<string, number>();
  /** By the ids that lists had: the number of ids before it, when a list first had it, and how that list is read. */
  const seen = new Map<
    unknown,
    { before: number; at: number; path: string; field: string; send: () => Promise<Listing<unknown>> }
  >();
  /** Lists that took too long, or that others keep changing. */
  const slow = new Set<string>();
  const pathOf = (operation: { readonly id: string }, query: object, params: PathParams = {}) =>
    JSON.stringify([operation.id, query, params]);
  const pathOfAll = <Item>({ list, query = {} }: ItemSource<Item>) => pathOf(list, query);

  const snapshotOf = (shared: ReturnType<typeof openShared>, time: number): DatedSnapshot => {
    let [began, arrivedAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let repeated = false;
    const use = async <Result extends object>(reading: Shared<Result>): Promise<Result> => {
      const result = await reading.result;
      began = Math.min(began, reading.began);
      const arrived = (result as { readonly arrivedAt?: number }).arrivedAt ?? clock.monotonic();
      arrivedAt = Math.min(arrivedAt, arrived);
      return result;
    };
    const sent = <Result extends object>(send: () => Promise<Result>): Promise<Result> =>
      use({ began: clock.monotonic(), result: send() });
    const single = <Result extends object>(path: string, send: () => Promise<Result>): Promise<Result> =>
      use(shared.next(path, time, null, send));
    /** Why an item that two responses do not show may exist: its list has it, or had it for the first time not long ago. */
    const whyNew = async (item: string, since: number): Promise<string | null> => {
      const list = seen.get(item);
      if (list === undefined) return null;
      const again = await use(shared.next(list.path, since, null, list.send));
      if (!again.ok || again.items.some((one) => memberOf(one, list.field) === item)) return 'a list has it';
      return clock.monotonic() - list.at < visibleWithinMs ? 'a list had it' : null;
    };

    const confirmed = async (listing: NotRead, operation: GetOperation<ItemParams>): Promise<NotRead> => {
      if (!isAvailable(operation, api)) return listing;
      const item = await snapshot.getAgain(operation, { id: '0' });
      const isSame = !item.ok && item.status === listing.status && item.serviceMessage !== null && item.gone !== true;
      return isSame ? notOnTenant(listing) : listing;
    };

    const listCertain = async <Item>(
      operation: ListOperation<object, Item>,
      query: object,
      { params, doubtsOf = () => [], confirm }: Certain<Item>,
    ): Promise<Listing<Item>> => {
      const path = pathOf(operation, query, params);
      const known = shared.known<Listing<Item>>(path, time);
      let last: Shared<Listing<Item>> | null = null;
      const send = () => reader.list(operation, query, params);
      const pass = async () => {
        repeated ||= last !== null;
        last = shared.next(path, time, last, send);
        const read = await use(last);
        if (read.ok) pages.set(path, read.pages ?? 1);
        const [field = '', ...others] = operation.paging.identity;
        // What needs several fields, such as a permission, has no id.
        const ids = read.ok && others.length === 0 ? read.items.map((item) => memberOf(item, field)) : [];
        const at = clock.monotonic();
        for (const id of ids) if (!seen.has(id)) seen.set(id, { before: seen.size, at, path, field, send });
        if (read.ok && read.arrivedAt !== undefined && clock.monotonic() - read.arrivedAt > slowMs) slow.add(path);
        return read;
      };
      const { id, of } = operation;
      const before = known.length > 1 ? known[0]?.result : undefined;
      const until = clock.monotonic() + visibleWithinMs;
      for (let tries = 0; ; tries += 1) {
        const listing = await readUntilCertain({ operation, before, pass, doubtsOf, confirm });
        if (!listing.ok && listing.restless) slow.add(path);
        if (!listing.ok && listing.confirmedBy !== undefined) return confirmed(listing, listing.confirmedBy);
        if (listing.ok || listing.gone !== true || of === undefined || params === undefined) return listing;
        const since = clock.monotonic();
        const item = await snapshot.getAgain(of, params);
        const why = item.ok ? `${of.id} returns it` : item.gone ? await whyNew(params['id'] ?? '', since) : null;
        if (!item.ok && why === null) return item;
        if (since > until) return unclear(`${id}: the response is that ${params['id']} does not exist, but ${why}`);
        await clock.sleep(backoffMs(tries), signal);
      }
    };
    const snapshot: Snapshot = {
      list: <Query extends object, Item>(
        operation: ListOperation<Query, Item>,
        query: Query,
        params?: PathParams,
        doubtsOf?: DoubtsOf<Item>,
      ) => listCertain(operation as unknown as ListOperation<object, Item>, query, { params, doubtsOf }),
      find: (source, wanted) => {
        const { get, ...others } = source;
        const available = get !== undefined && isAvailable(get, api) ? source : others;
        return findItems(available, wanted, {
          pages: pages.get(pathOfAll(source)) ?? null,
          list: (query, confirm) => listCertain(source.list, query, { doubtsOf: wanted.doubtsOf, confirm }),
          listAgain: (query) => {
            repeated = true;
            return sent(() => reader.list(source.list, query));
          },
          get: (operation, id) => snapshot.get(operation, { id }),
          getAgain: (operation, id) => snapshot.getAgain(operation, { id }),
        });
      },
      get: (operation, params) => single(pathOf(operation, {}, params), () => reader.get(operation, params)),
      getAgain: (operation, params) => {
        repeated = true;
        return sent(() => reader.get(operation, params));
      },
      count: (operation, params) =>
        single(pathOf({ id: `count ${operation.id}` }, {}, params), () => reader.count(operation, params)),
    };
    return {
      ...snapshot,
      oldest: () => {
        const now = clock.monotonic();
        return { began: Math.min(now, began), arrivedAt: Math.min(now, arrivedAt) };
      },
      isRepeated: () => repeated,
    };
  };
  return {
    share: () => {
      const shared = openShared(clock);
      return { since: (time = Number.NEGATIVE_INFINITY) => snapshotOf(shared, time) };
    },
    seenByNow: () => {
      const { size } = seen;
      return (id) => (seen.get(id)?.before ?? size) < size;
    },
    prefersList: (source, items) => {
      if (source.get === undefined && source.filterOf === undefined) return true;
      const path = pathOfAll(source);
      return !slow.has(path) && (pages.get(path) ?? 1) <= Math.min(mostPages, items);
    },
  };
}

interface Certain<Item> {
  readonly params?: PathParams | undefined;
  readonly doubtsOf?: DoubtsOf<Item> | undefined;
  readonly confirm?: Confirm<Item> | undefined;
}
