import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '../model/kind.ts';
import type { LiveState } from '../model/reader.ts';

/** The maximum number of readings of a listing. */
const maxPasses = 4;

/** A decision and its live state. */
export interface Decided {
  readonly live: LiveState<unknown>;
  readonly decision: Decision;
}

/**
 * A list of several pages can change while it is read, and an item that moves between two pages can be missed. Nothing
 * is deleted because of that, but an item that exists would be created. So if a plan creates, the list is read again
 * until two passes lead to the same creations. A list that keeps changing is unreadable.
 */
export async function decideStably(
  readAndDecide: () => Promise<Decided>,
  decideOn: (live: LiveState<unknown>) => Decision,
): Promise<Decision> {
  let before = await readAndDecide();
  for (let pass = 2; mayBeMissing(before); pass += 1) {
    if (pass > maxPasses) return decideOn(unstable(before.decision));
    const now = await readAndDecide();
    if (isDeepStrictEqual(creations(now.decision), creations(before.decision))) return now.decision;
    before = now;
  }
  return before.decision;
}

function mayBeMissing({ live, decision }: Decided): boolean {
  return live.readable && (live.pages ?? 1) > 1 && creations(decision).length > 0;
}

function creations({ actions }: Decision): string[] {
  return actions.filter(({ action }) => action === 'create').map(({ id }) => id);
}

function unstable({ kind }: Decision): LiveState<unknown> {
  const message = `${kind}: the list changed while it was read: ${maxPasses} readings disagree about what is missing`;
  return { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message };
}
