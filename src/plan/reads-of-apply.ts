import { itemId } from '../model/action-identity.ts';
import type { AnyKind } from '../model/kind.ts';
import { isRemoval, overwrites } from '../model/levels.ts';
import type { Action } from '../model/plan.generated.ts';

export interface ReadsOfApplyInput {
  readonly actions: readonly Action[];
  readonly kinds: readonly Pick<AnyKind, 'name' | 'reading'>[];
  /** Responses that it took to make the plan, by operation. */
  readonly responses: ReadonlyMap<string, number>;
  /** Seconds that the apply takes without these reads; 0 if unknown. */
  readonly seconds: number;
  /** Seconds. */
  readonly maxStaleness: number;
}

/**
 * The reads of an apply in addition to those of its plan, by operation:
 *
 * - before writes: a listing every `maxStaleness` seconds, or one read for an item of the other kinds; everything that
 *   the kind reads before an action that it rereads
 * - before removals: a listing, or one read for each item, that shows what replaces what they remove
 * - at the end: what was written, by one listing or by one read for each item
 *
 *   3 deletes of policies, 1 second                    one listing
 *   300 deletes of policies, 150 seconds               15 listings and one
 *   a create and a delete of policies                  one listing between them, and one at the end
 *   9 puts of prompts that can be read, 48 seconds     9 reads before them, and 9 at the end
 */
export function readsOfApply({ actions, kinds, responses, seconds, maxStaleness }: ReadsOfApplyInput) {
  const reads = new Map<string, number>();
  const isLong = seconds > maxStaleness;
  for (const { name, reading } of kinds) {
    const readable = actions.filter(({ kind, precondition }) => kind === name && precondition !== null);
    const last = reading?.operations.at(-1);
    if (last === undefined || readable.length === 0) continue;
    const overwriting = isLong ? readable.filter(overwrites) : [];
    const removals = readable.filter(isRemoval);
    const granting = readable.filter((action) => action.action === 'create' || action.action === 'add');
    const listing = responses.get(last.id) ?? 1;
    const isReplacing = removals.length > 0 && granting.length > 0;
    const times = reading?.each
      ? itemsOf(readable) + itemsOf(overwriting) + (isReplacing ? itemsOfBoth(granting, removals) : 0)
      : listing * (1 + (isReplacing ? 1 : 0) + Math.min(overwriting.length, Math.floor(seconds / maxStaleness)));
    reads.set(last.id, times);
    if (!readable.some(({ action }) => reading?.rereads?.includes(action))) continue;
    for (const { id } of [...(reading?.operations ?? []), ...(reading?.optional ?? [])])
      reads.set(id, (reads.get(id) ?? 0) + (responses.get(id) ?? 0));
  }
  return reads;
}

function itemsOf(actions: readonly Action[]): number {
  return new Set(actions.map(itemId)).size;
}

function itemsOfBoth(some: readonly Action[], others: readonly Action[]): number {
  const items = new Set(others.map(itemId));
  return itemsOf(some.filter((action) => items.has(itemId(action))));
}
