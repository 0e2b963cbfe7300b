import { itemId } from '../model/action-identity.ts';
import type { AnyKind } from '../model/kind.ts';
import { overwrites } from '../model/levels.ts';
import type { Action } from '../model/plan.generated.ts';

export interface ReadsOfApplyInput {
  readonly actions: readonly Action[];
  readonly kinds: readonly Pick<AnyKind, 'name' | 'reading' | 'operations'>[];
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
 * - after them: one listing, or one read for each changed item, where the responses show nothing
 *
 *   3 deletes of policies, 1 second                    one listing
 *   300 deletes of policies, 150 seconds               15 listings and one
 *   9 puts of prompts that can be read, 48 seconds     9 reads; the response to a put shows what is stored
 */
export function readsOfApply({ actions, kinds, responses, seconds, maxStaleness }: ReadsOfApplyInput) {
  const reads = new Map<string, number>();
  const isLong = seconds > maxStaleness;
  for (const { name, reading, operations } of kinds) {
    const readable = actions.filter(({ kind, precondition }) => kind === name && precondition !== null);
    const last = reading?.operations.at(-1);
    if (last === undefined || readable.length === 0) continue;
    const showsNothing = new Set(operations.filter(({ response }) => response === undefined).map(({ id }) => id));
    const unshown = readable.filter(({ request }) => showsNothing.has(request.operation));
    const overwriting = isLong ? readable.filter(overwrites) : [];
    const listing = responses.get(last.id) ?? 1;
    const times = reading?.each
      ? itemsOf(unshown) + itemsOf(overwriting)
      : (unshown.length > 0 ? listing : 0) + listing * Math.min(overwriting.length, Math.floor(seconds / maxStaleness));
    if (times > 0) reads.set(last.id, times);
    if (!readable.some(({ action }) => reading?.rereads?.includes(action))) continue;
    for (const { id } of [...(reading?.operations ?? []), ...(reading?.optional ?? [])])
      reads.set(id, (reads.get(id) ?? 0) + (responses.get(id) ?? 0));
  }
  return reads;
}

function itemsOf(actions: readonly Action[]): number {
  return new Set(actions.map(itemId)).size;
}
