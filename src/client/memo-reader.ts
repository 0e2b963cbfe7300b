import type { Clock } from '../model/clock.ts';
import type { Reader } from '../model/reader.ts';

type Around = <Result>(id: string, read: () => Promise<Result>) => Promise<Result>;

/** A reader whose requests go through `around`, which may send them. Equal requests have one id. */
function readerThrough(reader: Reader, around: Around): Reader {
  const idOf = (...parts: readonly unknown[]) => JSON.stringify(parts);
  return {
    list: (operation, query, params) =>
      around(idOf(operation.id, query, params), () => reader.list(operation, query, params)),
    get: (operation, params) => around(idOf(operation.id, params), () => reader.get(operation, params)),
    count: (operation, params) => around(idOf('count', operation.id, params), () => reader.count(operation, params)),
  };
}

/**
 * Several plans for single items share what they read, and the kinds of one plan their listings: each call returns a reader
 * that uses what another one has read since `since`. It never uses the same reading twice, so that a second reading is one.
 */
export function memoReader(reader: Reader, clock: Pick<Clock, 'monotonic'>) {
  const memo = new Map<string, { readonly began: number; readonly result: Promise<unknown> }>();
  return (since: number) => {
    const used = new Set<string>();
    let [began, arrivedAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const once: Around = async <Result>(id: string, read: () => Promise<Result>) => {
      const known = memo.get(id);
      const shared = known !== undefined && !used.has(id) && known.began >= since ? known : share(id, read);
      used.add(id);
      const result = (await shared.result) as Result;
      began = Math.min(began, shared.began);
      arrivedAt = Math.min(arrivedAt, (result as { readonly arrivedAt?: number }).arrivedAt ?? clock.monotonic());
      return result;
    };
    return {
      reader: readerThrough(reader, once),
      /**
       * Of the oldest of all readings that it used, by the monotonic clock: when its first request was asked for, and when
       * its first response arrived; now if it used none.
       */
      oldest: () => {
        const now = clock.monotonic();
        return { began: Math.min(now, began), arrivedAt: Math.min(now, arrivedAt) };
      },
    };
  };

  function share(id: string, read: () => Promise<unknown>) {
    const shared = { began: clock.monotonic(), result: read() };
    memo.set(id, shared);
    shared.result.catch(() => {
      if (memo.get(id) === shared) memo.delete(id);
    });
    return shared;
  }
}

/** Two plans over one reading: the second one shows what the files would lead to, and reads nothing. */
export function rememberingReader(reader: Reader) {
  const known = new Map<string, Promise<unknown>>();
  let repeated = false;
  const send: Around = (id, read) => {
    repeated ||= known.has(id);
    const result = read();
    known.set(id, result);
    // Whoever asked receives the error.
    result.catch(() => known.delete(id));
    return result;
  };
  const replay: Around = <Result>(id: string, read: () => Promise<Result>) =>
    (known.get(id) as Promise<Result> | undefined) ?? send(id, read);
  return {
    /** Sends every request, and remembers the last result of each. */
    reader: readerThrough(reader, send),
    /** Returns what was read; sends only what was never read. */
    replay: readerThrough(reader, replay),
    /** True if a request was sent more than once: then the tenant may have changed in between. */
    isRepeated: () => repeated,
  };
}
