import type { Clock } from '../model/clock.ts';
import type { Reader } from '../model/reader.ts';

export interface SharingReader {
  readonly reader: Reader;
  /** When the oldest reading arrived that was taken over from another one; null if none was. */
  reusedAt(): number | null;
}

interface Shared {
  readonly began: number;
  readonly result: Promise<unknown>;
  arrived: number;
}

/**
 * Several plans for single items share their listings: each call returns a reader that uses what another one has read
 * within `ms` milliseconds. It never uses the same reading twice, so that a second reading is one.
 */
export function memoReader(reader: Reader, clock: Pick<Clock, 'monotonic'>, ms: number): () => SharingReader {
  const memo = new Map<string, Shared>();
  return () => {
    const used = new Set<string>();
    let reusedAt: number | null = null;
    const once = async <Result>(name: readonly unknown[], read: () => Promise<Result>): Promise<Result> => {
      const id = JSON.stringify(name);
      const known = memo.get(id);
      const isReused = known !== undefined && !used.has(id) && clock.monotonic() - known.began <= ms;
      used.add(id);
      if (!isReused) return await share(id, read());
      const result = await known.result;
      reusedAt = Math.min(reusedAt ?? known.arrived, known.arrived);
      return result as Result;
    };
    return {
      reader: {
        list: (operation, query, params) =>
          once([operation.id, query, params], () => reader.list(operation, query, params)),
        get: (operation, params) => once([operation.id, params], () => reader.get(operation, params)),
        count: (operation, params) => once(['count', operation.id, params], () => reader.count(operation, params)),
      },
      reusedAt: () => reusedAt,
    };
  };

  async function share<Result>(id: string, result: Promise<Result>): Promise<Result> {
    const shared: Shared = { began: clock.monotonic(), result, arrived: Number.POSITIVE_INFINITY };
    memo.set(id, shared);
    try {
      return await result;
    } catch (error) {
      memo.delete(id);
      throw error;
    } finally {
      shared.arrived = clock.monotonic();
    }
  }
}
