import type { ListOperation } from '../model/operation.ts';
import type { Listed, Listing, NotRead } from '../model/reader.ts';
import type { Doubt, DoubtsOf } from '../model/snapshot.ts';

/** The most passes over one list for one decision. */
export const mostPasses = 5;

/**
 * Reads again what the doubts are about, and nothing else: the list with what that shows, or why it could not be read. Null
 * if another pass takes fewer requests.
 */
export type Confirm<Item> = (read: Listed<Item>, doubts: Iterable<Doubt>) => Promise<Listing<Item>> | null;

interface Passes<Item> {
  readonly operation: ListOperation<object, Item>;
  /** The pass before the first one, if others have read the list. */
  readonly before: Promise<Listing<Item>> | undefined;
  /** The next pass over the list. */
  readonly pass: () => Promise<Listing<Item>>;
  readonly doubtsOf: DoubtsOf<Item>;
  readonly confirm?: Confirm<Item> | undefined;
}

/**
 * Reads a list until what it shows is certain.
 *
 *   one page                                            one response, one moment, unless the last pass had several
 *   several that fit together, and nothing is doubtful  one pass
 *   several that fit together, and an item is missing   until two such passes agree about it
 *   pages that do not fit together                      another pass: whoever moved the items, some may be missed
 */
export async function readUntilCertain<Item>(passes: Passes<Item>): Promise<Listing<Item>> {
  const { operation, pass, doubtsOf, confirm } = passes;
  const earlier = await passes.before;
  let before = earlier?.ok ? earlier : null;
  let changed: string | null = null;
  for (let count = 1; count <= mostPasses; count += 1) {
    const read: Listing<Item> = await pass();
    if (!read.ok) return read;
    if (isCertain(read, before, doubtsOf)) return read;
    changed = read.changed ?? changed;
    const confirmed = read.changed === undefined && count < mostPasses ? confirm?.(read, doubtsOf(read.items)) : null;
    if (confirmed) {
      count += 1;
      const again = await confirmed;
      if (!again.ok || includesAll(doubtsOf(read.items), doubtsOf(again.items))) return again;
      before = again;
    } else before = read;
  }
  return restless(operation, changed);
}

function isCertain<Item>(read: Listed<Item>, before: Listed<Item> | null, doubtsOf: DoubtsOf<Item>): boolean {
  if (read.changed !== undefined) return false;
  if ((read.pages ?? 1) === 1 && (before?.pages ?? 1) === 1) return true;
  if (read.items === before?.items) return true;
  const isWitness = before !== null && before.changed === undefined;
  return includesAll(isWitness ? doubtsOf(before.items) : [], doubtsOf(read.items));
}

/** Whether all doubts are known. There can be 100,000, of which no pass has shown any. */
function includesAll(known: Iterable<Doubt>, doubts: Iterable<Doubt>): boolean {
  let texts: ReadonlySet<string> | null = null;
  for (const doubt of doubts) {
    texts ??= new Set([...known].map(textOf));
    if (!texts.has(textOf(doubt))) return false;
  }
  return true;
}

function textOf({ name, what, ids }: Doubt): string {
  return JSON.stringify([name, what, ...ids]);
}

function restless({ id }: Pick<ListOperation, 'id'>, changed: string | null): NotRead {
  const how = changed ?? 'passes disagree about what is missing, there twice, or to be deleted';
  const message = `${id}: the list changed each of the ${mostPasses} times that it was read: ${how}`;
  return { ...unclear(message), restless: true };
}

/** Responses that each can be read, and that do not fit together. */
export function unclear(message: string): NotRead {
  const why = { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message } as const;
  return { ok: false, why, status: null, serviceMessage: null };
}
