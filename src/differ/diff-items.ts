import type { DesiredItem } from '../model/kind.ts';
import type { FieldChange } from '../model/plan.generated.ts';
import { compareText } from '../values/text-order.ts';

/** How one identity differs between the files and the tenant. Equal items are not differences. */
export type Difference<Desired, Live> =
  | { readonly type: 'missing'; readonly desired: DesiredItem<Desired> }
  | {
      readonly type: 'different';
      readonly desired: DesiredItem<Desired>;
      readonly live: Live;
      readonly changes: readonly Changed[];
    }
  /** Live, and left alone. */
  | { readonly type: 'unmanaged'; readonly desired: DesiredItem<Desired>; readonly live: Live }
  | Surplus<Desired, Live>
  /** Several live items of one identity: it is unknown which one is meant, or which one to keep as none is as declared. */
  | { readonly type: 'ambiguous'; readonly desired: DesiredItem<Desired>; readonly live: readonly Live[] };

/**
 * A live item that is too much: not declared, declared absent, or a duplicate of one that is `kept` because it is as
 * declared.
 */
export interface Surplus<Desired, Live> {
  readonly type: 'surplus';
  readonly reason: 'undeclared' | 'absent' | 'duplicate';
  readonly key: string;
  readonly desired: DesiredItem<Desired> | null;
  readonly live: Live;
  /** Whether no other live item has its identity. */
  readonly alone: boolean;
  readonly kept?: Live;
}

/** A field that differs, with the names that lead to it: names of maps can have dots. */
export interface Changed extends FieldChange {
  readonly path: readonly string[];
}

/** How a kind's items are matched and compared. */
export interface Comparison<Desired, Live> {
  keyOf(live: Live): string;
  /** The id, which distinguishes live items of one identity. */
  idOf(live: Live): string;
  /** The declared fields that differ. */
  changesOf(declared: Desired, live: Live): readonly Changed[];
  /** Everything that is compared, in a form in which two equal items are equal. */
  liveForm(live: Live): unknown;
  /** False if several items may have one name, which then identifies none of them. Default: true. */
  readonly isUnique?: boolean;
}

/**
 * Every difference between two sides, matched by identity: declared ones in declared order, then undeclared ones in
 * live order. One at a time: a tenant can have 100,000 items that the files do not declare.
 */
export function* diffItems<Desired, Live>(
  desired: readonly DesiredItem<Desired>[],
  live: readonly Live[],
  comparison: Comparison<Desired, Live>,
  /** Those of the live items. */
  keys: readonly string[],
): Generator<Difference<Desired, Live>, void> {
  const { first, others } = byIdentity(live, keys);
  for (const item of desired) {
    const found = first.get(item.key);
    const same = found === undefined ? [] : [found, ...(others.get(item.key) ?? [])];
    yield* diffItem(item, same, comparison);
    first.delete(item.key);
  }
  // The remaining items are not declared.
  for (const [key, item] of first) {
    const more = others.get(key) ?? none;
    const alone = more.length === 0;
    yield { type: 'surplus', reason: 'undeclared', key, desired: null, live: item, alone };
    for (const other of more) yield { type: 'surplus', reason: 'undeclared', key, desired: null, live: other, alone };
  }
}

const none: readonly never[] = [];

/** The items by identity. Few share theirs, and a tenant can have 100,000: a list for each would take much memory. */
function byIdentity<Live>(live: readonly Live[], keys: readonly string[]) {
  const first = new Map<string, Live>();
  const others = new Map<string, Live[]>();
  for (const [index, item] of live.entries()) {
    const key = keys[index] ?? '';
    const more = others.get(key);
    if (more !== undefined) more.push(item);
    else if (first.has(key)) others.set(key, [item]);
    else first.set(key, item);
  }
  return { first, others };
}

function diffItem<Desired, Live>(
  item: DesiredItem<Desired>,
  live: readonly Live[],
  comparison: Comparison<Desired, Live>,
): Difference<Desired, Live>[] {
  if (item.state === 'unmanaged') return live.map((one) => ({ type: 'unmanaged', desired: item, live: one }));
  // The choice between equal items must not depend on the order of the listing.
  const inOrder = live.toSorted((one, other) => compareText(comparison.idOf(one), comparison.idOf(other)));
  if (live.length > 1 && comparison.isUnique === false) return [{ type: 'ambiguous', desired: item, live: inOrder }];
  const surplus = { type: 'surplus', key: item.key, desired: item, alone: live.length === 1 } as const;
  if (item.state === 'absent') return live.map((one) => ({ ...surplus, reason: 'absent', live: one }));
  const [first, ...rest] = live;
  if (first === undefined) return [{ type: 'missing', desired: item }];
  const changesOf = (candidate: Live) => comparison.changesOf(item.value, candidate);
  if (rest.length === 0) {
    const changes = changesOf(first);
    return changes.length === 0 ? [] : [{ type: 'different', desired: item, live: first, changes }];
  }
  // Under two names, both may be meant.
  const isRenamed = item.renamedFrom !== undefined;
  const kept = isRenamed ? undefined : inOrder.find((candidate) => changesOf(candidate).length === 0);
  if (kept === undefined) return [{ type: 'ambiguous', desired: item, live: inOrder }];
  return inOrder
    .filter((candidate) => candidate !== kept)
    .map((other) => ({ ...surplus, reason: 'duplicate', live: other, kept }));
}
