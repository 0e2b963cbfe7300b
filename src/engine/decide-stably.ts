import type { Conclusion, Decision } from '../model/kind.ts';
import type { LiveState, Readable } from '../model/reader.ts';

/** The maximum number of readings. */
const maxPasses = 4;

export interface StableInput {
  read(): Promise<LiveState<unknown>>;
  /** Reads again what the conclusions are about, or everything. */
  readAgain(before: Readable<unknown>, conclusions: readonly Conclusion[]): Promise<LiveState<unknown>>;
  /** If a conclusion is unproven, the decision may have nothing but its conclusions. */
  decideOn(live: LiveState<unknown>, isUnproven: (conclusion: Conclusion) => boolean): Decision;
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
  let isProven = amongst([]);
  const isUnproven = (conclusion: Conclusion) => isNew(conclusion) && !isProven(conclusion);
  let live = await read();
  for (let pass = 1; ; pass += 1) {
    const { conclusions = [], ...decision } = decideOn(live, isUnproven);
    if (!live.readable || !conclusions.some(isUnproven)) return decision;
    if (pass === maxPasses) return decideOn(unstable(decision.kind), isUnproven);
    const before = conclusions.filter(isNew);
    isProven = amongst(before);
    // A list can have 100,000 items: it is not kept while it is read again.
    const again = readAgain(live, before);
    live = unstable(decision.kind);
    live = await again;
  }
}

/** Whether a conclusion is one of these. */
function amongst(conclusions: readonly Conclusion[]): (conclusion: Conclusion) => boolean {
  const textOf = ({ key, what, ids }: Conclusion) => JSON.stringify([key, what, ...ids]);
  const known = new Set(conclusions.map(textOf));
  // There can be 100,000 of which no reading has proven any.
  return (conclusion) => known.size > 0 && known.has(textOf(conclusion));
}

function unstable(kind: string): LiveState<unknown> {
  const message = `${kind}: the list changed while it was read: ${maxPasses} readings disagree about what is missing, undeclared, duplicate or removed`;
  return { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message };
}
