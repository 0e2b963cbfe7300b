import type { AgainAsk, Reading } from '../../model/kind.ts';
import { idProblem, isAvailable } from '../../model/operation.ts';
import type { Action } from '../../model/plan.generated.ts';
import { type LiveState, liveState, mergedState, type Reader, readById } from '../../model/reader.ts';
import { getEventStream, listEventStreams } from '../../service/event-streams/operations.ts';
import type { LiveEventStream } from '../../service/event-streams/types.generated.ts';
import { streamLines } from './describe.ts';
import type { DesiredStream } from './desired-stream.ts';

/**
 * The listing has no filters (service specification 4.5), so one key is found among all streams. Single streams can be
 * read again by their ids, but not one that is missing.
 */
export const reading: Reading<DesiredStream, LiveEventStream> = {
  operations: [listEventStreams],
  each: false,
  single: 'id',
  read: async (reader, { only, ids }) => {
    const [key, ...others] = only ?? [];
    const id = key === undefined || others.length > 0 ? null : (ids?.get(key) ?? null);
    return id === null
      ? liveState(await reader.list(listEventStreams, {}), false)
      : liveState(await readById(reader, getEventStream, id), true);
  },
  readAgain,
};

/** One request for each id, if the complete list takes more. */
function readAgain(
  reader: Reader,
  { conclusions, before, api }: AgainAsk<DesiredStream, LiveEventStream>,
): Promise<LiveState<LiveEventStream>> | null {
  const ids = new Set(conclusions.flatMap((conclusion) => conclusion.ids));
  const isPossible =
    isAvailable(getEventStream, api) &&
    conclusions.every((conclusion) => conclusion.ids.length > 0) &&
    [...ids].every((id) => idProblem(getEventStream, id) === null);
  if (!isPossible || ids.size >= (before.pages ?? 1)) return null;
  const listings = Promise.all([...ids].map((id) => readById(reader, getEventStream, id)));
  return listings.then((listed) => mergedState(before, listed, ({ id }) => ids.has(id)));
}

/**
 * After a 409: the live stream with the name. Null if there is none: then the tenant has reached its limit of streams.
 */
export async function readBack(reader: Reader): Promise<(action: Action) => string | null> {
  const listing = await reader.list(listEventStreams, {});
  const byName = new Map(listing.ok ? listing.items.map((stream) => [stream.name, stream]) : []);
  return ({ key }) => {
    const holder = byName.get(key);
    return holder === undefined ? null : `this name is now used by ${holder.id}: ${streamLines(holder).join('; ')}`;
  };
}

/**
 * A conflict has two causes, and its message is not documented (public facts 4.4), so both are named if the message
 * fits one.
 */
export function fix({ action }: Action, message: string): string | null {
  const isConflict = action === 'create' && /\b409\b|conflict|already|in use|exist|limit|maximum/i.test(message);
  return isConflict
    ? 'the name is in use or the tenant has reached its limit of event streams: choose another name or delete a stream first'
    : null;
}
