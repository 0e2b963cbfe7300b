import type { Reading } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { liveState, type Reader } from '../../model/reader.ts';
import { listEventStreams } from '../../resources/event-streams/operations.ts';
import type { DeclaredEventStream, LiveEventStream } from '../../resources/event-streams/types.generated.ts';
import { streamLines } from './describe.ts';

/** The listing has no filters (service specification 4.5), so one key is found among all streams. */
export const reading: Reading<DeclaredEventStream, LiveEventStream> = {
  operations: [listEventStreams],
  each: false,
  read: async (reader) => liveState(await reader.list(listEventStreams, {}), false),
};

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
export function remedy({ action }: Action, message: string): string | null {
  const isConflict = action === 'create' && /\b409\b|conflict|already|in use|exist|limit|maximum/i.test(message);
  return isConflict
    ? 'the name is in use or the tenant has reached its limit of event streams: choose another name or delete a stream first'
    : null;
}
