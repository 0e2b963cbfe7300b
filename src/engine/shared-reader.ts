import { memoReader } from '../client/memo-reader.ts';
import type { Reading } from '../model/kind.ts';
import type { Reader } from '../model/reader.ts';

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
