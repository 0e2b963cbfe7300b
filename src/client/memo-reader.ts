import type { Clock } from '../model/clock.ts';
import type { Reader } from '../model/reader.ts';

/** A reader that repeats no read within `ms` milliseconds: several plans for single items share their listings. */
export function memoReader(reader: Reader, clock: Pick<Clock, 'monotonic'>, ms: number): Reader {
  const memo = new Map<string, { readonly at: number; readonly result: Promise<unknown> }>();
  const once = <Result>(name: readonly unknown[], read: () => Promise<Result>): Promise<Result> => {
    const id = JSON.stringify(name);
    const known = memo.get(id);
    if (known !== undefined && clock.monotonic() - known.at <= ms) return known.result as Promise<Result>;
    const result = read();
    memo.set(id, { at: clock.monotonic(), result });
    result.catch(() => memo.delete(id));
    return result;
  };
  return {
    list: (operation, query, params) =>
      once([operation.id, query, params], () => reader.list(operation, query, params)),
    get: (operation, params) => once([operation.id, params], () => reader.get(operation, params)),
  };
}
