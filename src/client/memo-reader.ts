import type { Clock } from '../model/clock.ts';
import type { Reading } from '../model/kind.ts';
import type { Reader } from '../model/reader.ts';

/** A reader that may take over what others have read, and what it has used. */
export interface SharingReader {
  readonly reader: Reader;
  /** The times of the oldest of all readings that it used, by the monotonic clock; now if it used none. */
  oldest(): ReadTimes;
}

export interface ReadTimes {
  /** When its first request was asked for. */
  readonly began: number;
  /** When its first response arrived. */
  readonly arrivedAt: number;
}

interface Shared {
  readonly began: number;
  readonly result: Promise<unknown>;
}

/**
 * Several plans for single items share their listings: each call returns a reader that uses what another one has read
 * since `since`. It never uses the same reading twice, so that a second reading is one.
 */
export function memoReader(reader: Reader, clock: Pick<Clock, 'monotonic'>): (since: number) => SharingReader {
  const memo = new Map<string, Shared>();
  return (since) => {
    const used = new Set<string>();
    let [began, arrivedAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const once = async <Result>(name: readonly unknown[], read: () => Promise<Result>): Promise<Result> => {
      const id = JSON.stringify(name);
      const known = memo.get(id);
      const shared = known !== undefined && !used.has(id) && known.began >= since ? known : share(id, read);
      used.add(id);
      const result = (await shared.result) as Result;
      began = Math.min(began, shared.began);
      arrivedAt = Math.min(arrivedAt, arrivalOf(result) ?? clock.monotonic());
      return result;
    };
    return {
      reader: {
        list: (operation, query, params) =>
          once([operation.id, query, params], () => reader.list(operation, query, params)),
        get: (operation, params) => once([operation.id, params], () => reader.get(operation, params)),
        count: (operation, params) => once(['count', operation.id, params], () => reader.count(operation, params)),
      },
      oldest: () => {
        const now = clock.monotonic();
        return { began: Math.min(now, began), arrivedAt: Math.min(now, arrivedAt) };
      },
    };
  };

  function share(id: string, read: () => Promise<unknown>): Shared {
    const shared = { began: clock.monotonic(), result: read() };
    memo.set(id, shared);
    shared.result.catch(() => {
      if (memo.get(id) === shared) memo.delete(id);
    });
    return shared;
  }
}

function arrivalOf(result: unknown): number | undefined {
  return (result as { readonly arrivedAt?: number }).arrivedAt;
}

/**
 * A reader for each kind of one plan. What several kinds read is requested once, and a second reading by a kind is a
 * new one. What only one kind reads is not kept.
 */
export function sharedReader(
  reader: Reader,
  readings: readonly Pick<Reading<unknown, unknown>, 'operations' | 'optional'>[],
): () => Reader {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { operations, optional = [] } of readings)
    for (const { id } of [...operations, ...optional]) (seen.has(id) ? shared : seen).add(id);
  if (shared.size === 0) return () => reader;
  const memo = memoReader(reader, { monotonic: () => 0 });
  return () => {
    const { reader: remembering } = memo(0);
    const readerFor = ({ id }: { readonly id: string }) => (shared.has(id) ? remembering : reader);
    return {
      list: (operation, query, params) => readerFor(operation).list(operation, query, params),
      get: (operation, params) => readerFor(operation).get(operation, params),
      count: (operation, params) => readerFor(operation).count(operation, params),
    };
  };
}
