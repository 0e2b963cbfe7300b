import type { Conclusion, Decision } from '../model/kind.ts';
import type { LiveState, Readable } from '../model/reader.ts';

/** The maximum number of readings. */
const maxPasses = 4;

export interface StableInput {
  read(): Promise<LiveState<unknown>>;
  /** Reads again what the conclusions are about, or everything. */
  readAgain(before: Readable<unknown>, conclusions: readonly Conclusion[]): Promise<LiveState<unknown>>;
  decideOn(live: LiveState<unknown>): Decision;
  /** Whether a conclusion is acted on, and was not proven before. */
  isNew(conclusion: Conclusion): boolean;
}

/**
 * A list of several pages can change while it is read. An item that moves between two pages is missed, and one that is
 * created again meanwhile looks like two: the old id is on one page, the new id on another. So what is concluded from
 * such a list is acted on only if a second reading leads to the same conclusion, with the same ids. If readings keep
 * disagreeing, the list is unreadable. What is returned has no conclusions any more.
 */
export async function decideStably({ read, readAgain, decideOn, isNew }: StableInput): Promise<Decision> {
  let live = await read();
  let proven: readonly Conclusion[] = [];
  for (let pass = 1; ; pass += 1) {
    const { conclusions = [], ...decision } = decideOn(live);
    const acted = conclusions.filter(isNew);
    if (!live.readable || includesAll(proven, acted)) return decision;
    if (pass === maxPasses) return decideOn(unstable(decision.kind));
    const again = await readAgain(live, acted);
    if (isSame(live, again)) return decision;
    live = again;
    proven = acted;
  }
}

function includesAll(proven: readonly Conclusion[], conclusions: readonly Conclusion[]): boolean {
  // There can be 100,000 of which no reading has proven any.
  if (proven.length < conclusions.length) return false;
  const textOf = ({ key, what, ids }: Conclusion) => JSON.stringify([key, what, ...ids]);
  const known = new Set(proven.map(textOf));
  return conclusions.every((conclusion) => known.has(textOf(conclusion)));
}

function unstable(kind: string): LiveState<unknown> {
  const message = `${kind}: the list changed while it was read: ${maxPasses} readings disagree about what is missing, undeclared, duplicate or removed`;
  return { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message };
}

/** Readings of which every page was the same have the same items. */
function isSame(one: LiveState<unknown>, other: LiveState<unknown>): boolean {
  return one.readable && other.readable && one.items === other.items && one.odd === other.odd;
}
