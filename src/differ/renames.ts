import type { DesiredItem } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import type { Comparison } from './diff-items.ts';
import { itemFinding } from './draft.ts';

/**
 * How items are compared where the files rename some of them: a live item that has the old name is the declared one, and
 * its name, `field`, is compared.
 *
 *   live a                 b, renamed from a      the item is a, and its name differs
 *   live b                 b, renamed from a      the item is b, with a note: nothing is left to rename
 *   live a and b           b, renamed from a      an error: it is not known which of the two is meant
 *   live neither           b, renamed from a      as without it
 */
export function withRenames<Desired extends object, Live extends object>(
  comparison: Comparison<Desired, Live>,
  field: string,
  items: readonly DesiredItem<Desired>[],
): Comparison<Desired, Live> {
  const renamed = new Map(items.flatMap(({ key, renamedFrom: from }) => (from === undefined ? [] : [[from, key]])));
  if (renamed.size === 0) return comparison;
  const { keyOf, changesOf, liveForm } = comparison;
  const names = new Set([...renamed].flat());
  return {
    ...comparison,
    keyOf: (live) => renamed.get(keyOf(live)) ?? keyOf(live),
    changesOf: (declared, live) => {
      const [before, after] = [memberOf(live, field), memberOf(declared, field)];
      const changes = changesOf(declared, live);
      const isKnown = changes.some((change) => change.field === field);
      const isOther = !isKnown && typeof after === 'string' && names.has(after) && before !== after;
      return [...(isOther ? [{ field, path: [field], before, after }] : []), ...changes];
    },
    liveForm: (live) => {
      const name = memberOf(live, field);
      const others = liveForm(live);
      return typeof name === 'string' && names.has(name) ? { [field]: name, ...(others as object) } : others;
    },
  };
}

/** One note for each item that has its new name, so that `renamed_from` can be deleted. */
export function reachedRenames<Live>(
  kind: string,
  items: readonly DesiredItem<unknown>[],
  live: readonly Live[],
  keyOf: (live: Live) => string,
): Finding[] {
  const renamed = items.filter(({ renamedFrom }) => renamedFrom !== undefined);
  if (renamed.length === 0) return [];
  const names = groupBy(live, keyOf);
  return renamed.flatMap((item) =>
    names.has(item.key) && !names.has(item.renamedFrom ?? '') ? [reachedFinding(kind, item)] : [],
  );
}

/** That an item has its new name, so that `renamed_from` can be deleted. */
function reachedFinding(kind: string, item: DesiredItem<unknown>): Finding {
  const message = `the tenant has this name and no longer "${item.renamedFrom}", so "renamed_from" can be deleted`;
  return itemFinding(kind, item, 'LIVE_RENAMED', message, '/renamed_from');
}

/** That the tenant has the old and the new name of an item. */
export function bothNames(kind: string, item: DesiredItem<unknown>, ids: readonly string[]): Finding {
  const message = `it is to be renamed from "${item.renamedFrom}", and the tenant has both names (${ids.join(', ')}); delete "renamed_from" if they are two items, or delete one of them on the tenant`;
  return itemFinding(kind, item, 'LIVE_RENAME_CONFLICT', message, '/renamed_from');
}

/** That an item is created while one that the files do not declare may be meant, with the line to type. `how`: why. */
export function nearName(kind: string, noun: string, item: DesiredItem<unknown>, near: string, how: string): Finding {
  // A short name may be a word with a meaning, such as yes.
  const line = `renamed_from: ${/^[a-z][\w -]{4,}\w$/i.test(near) ? near : JSON.stringify(near)}`;
  const message = `the ${noun} is created, but the tenant has an undeclared one, "${near}", ${how}; if it was meant, add ${line} to rename it, correct the name, or pull it into the files`;
  return itemFinding(kind, item, 'LIVE_NEAR_NAME', message, '/name');
}
