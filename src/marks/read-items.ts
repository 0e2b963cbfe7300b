import type { AgainAsk, Reading } from '../model/kind.ts';
import { type GetOperation, type ItemOperations, type ItemParams, idProblem, isAvailable } from '../model/operation.ts';
import { type LiveState, liveState, mergedState, type Reader, readById } from '../model/reader.ts';
import type { Identified } from '../values/ordered-items.ts';

/** Every item, or a single one by its id. Items are read again by their ids, but not one that is missing. */
export function readItems<Desired, Live extends Identified>({
  list,
  get,
}: Pick<ItemOperations<Live>, 'list' | 'get'>): Reading<Desired, Live> {
  const all = async (reader: Reader) => liveState(await reader.list(list, {}), false);
  if (get === undefined) return { operations: [list], each: false, read: all };
  return {
    operations: [list],
    each: false,
    single: 'id',
    read: async (reader, { only, ids }) => {
      const [key, ...others] = only ?? [];
      const id = key === undefined || others.length > 0 ? null : (ids?.get(key) ?? null);
      return id === null ? all(reader) : liveState(await readById(reader, get, id), true);
    },
    readAgain: (reader, ask) => readAgain(reader, get, ask),
  };
}

/** One request for each id, if the complete list takes more. */
function readAgain<Desired, Live extends Identified>(
  reader: Reader,
  get: GetOperation<ItemParams, Live>,
  { conclusions, before, api }: AgainAsk<Desired, Live>,
): Promise<LiveState<Live>> | null {
  const ids = new Set(conclusions.flatMap((conclusion) => conclusion.ids));
  const isPossible =
    isAvailable(get, api) &&
    conclusions.every((conclusion) => conclusion.ids.length > 0) &&
    [...ids].every((id) => idProblem(get, id) === null);
  if (!isPossible || ids.size >= (before.pages ?? 1)) return null;
  const listings = Promise.all([...ids].map((id) => readById(reader, get, id)));
  return listings.then((listed) => mergedState(before, listed, ({ id }) => ids.has(id)));
}
