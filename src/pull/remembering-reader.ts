import type { Reader } from '../model/reader.ts';

export interface RememberingReader {
  /** Sends every request, and remembers the last result of each. */
  readonly reader: Reader;
  /** Returns what was read; sends only what was never read. */
  readonly replay: Reader;
  /** True if a request was sent more than once: then the tenant may have changed in between. */
  isRepeated(): boolean;
}

/** Two plans over one reading: the second one shows what the files would lead to, and reads nothing. */
export function rememberingReader(reader: Reader): RememberingReader {
  const known = new Map<string, Promise<unknown>>();
  let repeated = false;
  const using = (isReplay: boolean): Reader => {
    const once = <Result>(name: readonly unknown[], read: () => Promise<Result>): Promise<Result> => {
      const id = JSON.stringify(name);
      const before = known.get(id);
      if (isReplay && before !== undefined) return before as Promise<Result>;
      repeated ||= before !== undefined;
      const result = read();
      known.set(id, result);
      // Whoever asked receives the error.
      result.catch(() => known.delete(id));
      return result;
    };
    return {
      list: (operation, query, params) =>
        once([operation.id, query, params], () => reader.list(operation, query, params)),
      get: (operation, params) => once([operation.id, params], () => reader.get(operation, params)),
      count: (operation, params) => once(['count', operation.id, params], () => reader.count(operation, params)),
    };
  };
  return { reader: using(false), replay: using(true), isRepeated: () => repeated };
}
