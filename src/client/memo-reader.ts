import type { Clock } from '../model/clock.ts';
import type { Reader } from '../model/reader.ts';

/**
 * Several plans for single items share their listings: each call returns a reader that uses what another one has read
 * within `ms` milliseconds. It never uses the same reading twice, so that a second reading is one.
 */
export function memoReader(reader: Reader, clock: Pick<Clock, 'monotonic'>, ms: number): () => Reader {
  const memo = new Map<string, { readonly at: number; readonly result: Promise<unknown> }>();
  return () => {
    const used = new Set<string>();
    const once = <Result>(name: readonly unknown[], read: () => Promise<Result>): Promise<Result> => {
      const id = JSON.stringify(name);
      const known = memo.get(id);
      if (known !== undefined && !used.has(id) && clock.monotonic() - known.at <= ms) {
        used.add(id);
        return known.result as Promise<Result>;
      }
      used.add(id);
      const result = read();
      memo.set(id, { at: clock.monotonic(), result });
      result.catch(() => memo.delete(id));
      return result;
    };
    return {
      list: (operation, query, params) =>
        once([operation.id, query, params], () => reader.list(operation, query, params)),
      get: (operation, params) => once([operation.id, params], () => reader.get(operation, params)),
      count: (operation, params) => once(['count', operation.id, params], () => reader.count(operation, params)),
    };
  };
}
