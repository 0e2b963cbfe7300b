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
 * disagreeing, the list is unreadable.
 */
export async function decideStably({ read, readAgain, decideOn, isNew }: StableInput): Promise<Decision> {
  let live = await read();
  let decision: Decision = decideOn(live);
  for (let pass = 2; live.readable; pass += 1) {
    const before = (decision.conclusions ?? []).filter(isNew);
    if (before.length === 0) break;
    if (pass > maxPasses) return decideOn(unstable(decision));
    const proven = new Set(before.map(textOf));
    // A decision can have 100,000 actions: neither it nor the list is kept while the list is read again.
    decision = withoutActions(decision);
    const again = readAgain(live, before);
    live = unstable(decision);
    live = await again;
    decision = decideOn(live);
    const after = (decision.conclusions ?? []).filter(isNew);
    if (after.every((conclusion) => proven.has(textOf(conclusion)))) break;
  }
  return decision;
}

function withoutActions({ effectsOf: _live, ...decision }: Decision): Decision {
  return { ...decision, actions: [], findings: [], losses: [], conclusions: [] };
}

function textOf({ key, what, ids }: Conclusion): string {
  return JSON.stringify([key, what, ids]);
}

function unstable({ kind }: Decision): LiveState<unknown> {
  const message = `${kind}: the list changed while it was read: ${maxPasses} readings disagree about what is missing, undeclared or duplicate`;
  return { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message };
}
