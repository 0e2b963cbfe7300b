import type { ApiLevel } from '../../src/model/operation.ts';
import type { Reader } from '../../src/model/reader.ts';
import type { ItemSource } from '../../src/model/snapshot.ts';
import { type DatedSnapshot, openSnapshots, type Snapshots } from '../../src/snapshot/snapshots.ts';
import { startFakeClock } from './fake-clock.ts';

interface Options {
  readonly clock?: ReturnType<typeof startFakeClock>;
  readonly api?: ApiLevel;
  readonly slowMs?: number;
}

export function snapshotsOf(
  reader: Partial<Reader>,
  { clock = startFakeClock(), api = 'full', slowMs = 5000 }: Options = {},
): Snapshots {
  return openSnapshots({ reader: reader as Reader, clock, api, slowMs, visibleWithinMs: 30_000 });
}

/** A snapshot over a reader of the test. */
export function snapshotOf(reader: Partial<Reader>, options?: Options): DatedSnapshot {
  return snapshotsOf(reader, options).share().since();
}

/** The same, where the complete list of a kind had so many pages when it was read before. */
export async function snapshotKnowing(
  { list, query = {} }: Pick<ItemSource<unknown>, 'list' | 'query'>,
  pages: number,
  reader: Partial<Reader>,
): Promise<DatedSnapshot> {
  const listed = (async () => ({ ok: true, items: [], pages })) as unknown as Reader['list'];
  let current: Partial<Reader> = { list: listed };
  const snapshots = snapshotsOf({
    list: (...about) => (current.list as Reader['list'])(...about),
    get: (...about) => (current.get as Reader['get'])(...about),
    count: (...about) => (current.count as Reader['count'])(...about),
  });
  await snapshots.share().since().list(list, query);
  current = reader;
  return snapshots.share().since();
}
