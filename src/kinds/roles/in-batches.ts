import type { PermissionPair } from '../../resources/roles/types.generated.ts';

/** As many pairs as a role can hold (public facts 2.3), and far below the 1 MB that a body may have (public facts 2.4). */
const pairsOfOneRequest = 1000;

/** The pairs of one request, and what its action is called. */
export interface Batch {
  readonly id: string;
  readonly pairs: readonly PermissionPair[];
}

/** Pairs as requests: `…#add` for the first one, `…#add-2` for the one after it. None for no pairs. */
export function inBatches(id: string, pairs: readonly PermissionPair[]): readonly Batch[] {
  return Array.from({ length: Math.ceil(pairs.length / pairsOfOneRequest) }, (_empty, index) => ({
    id: index === 0 ? id : `${id}-${index + 1}`,
    pairs: pairs.slice(index * pairsOfOneRequest, (index + 1) * pairsOfOneRequest),
  }));
}
