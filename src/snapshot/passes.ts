import type { ListOperation } from '../model/operation.ts';
import type { Listed, Listing, NotRead } from '../model/reader.ts';
import type { Doubt, DoubtsOf } from '../model/snapshot.ts';
import { haveSameOthers, includesAll } from './agreement.ts';

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
  readonly ownIds: ReadonlySet<string>;
}

/**
 * Reads a list until what it shows is certain.
 *
 *   one page                                                one response, one moment, unless the last pass had several
 *   several that fit together, and nothing is doubtful      one pass
 *   several that fit together, and an item is missing       until two passes agree about it
 *   pages that do not fit together while this run writes    another pass, unless two have the same items of others
 *   pages that do not fit together because of others        another pass
 *
 * What this run has changed is distinguished from what others changed by ids, never by counts: if others delete an item
 * while this run creates one, the total stays the same.
 */
export async function readUntilCertain<Item>(passes: Passes<Item>): Promise<Listing<Item>> {
  const { operation, pass, doubtsOf, confirm } = passes;
  const earlier = await passes.before;
  let before = earlier?.ok ? earlier : null;
  let changed: string | null = null;
  for (let count = 1; count <= mostPasses; count += 1) {
    const read: Listing<Item> = await pass();
    if (!read.ok) return read;
    if (isCertain(read, before, passes)) return read;
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

function isCertain<Item>(
  read: Listed<Item>,
  before: Listed<Item> | null,
  { operation, doubtsOf, ownIds }: Passes<Item>,
): boolean {
  if ((read.pages ?? 1) === 1 && (before?.pages ?? 1) === 1) return true;
  if (read.changed === undefined && read.items === before?.items) return true;
  // Pages that do not fit together are no witness of what is missing on them, unless writes of this run may have moved it.
  const isDisturbed = read.changed !== undefined || before?.changed !== undefined;
  const areOthers = read.byOthers === true || before?.byOthers === true;
  const isWitness =
    before !== null && (!isDisturbed || (!areOthers && haveSameOthers(before, read, operation, ownIds)));
  if (read.changed !== undefined && !isWitness) return false;
  return includesAll(isWitness ? doubtsOf(before.items) : [], doubtsOf(read.items));
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
