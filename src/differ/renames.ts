import type { DesiredItem } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import type { ListedKind } from './decide-difference.ts';
import { reachedFinding } from './rename-findings.ts';

/**
 * The kind as the differ sees it where the files rename items: a live item that has the old name is the declared one, and
 * its name is a field that is compared.
 *
 *   live a                 b, renamed from a      the item is a, and its name differs
 *   live b                 b, renamed from a      the item is b, with a note: nothing is left to rename
 *   live a and b           b, renamed from a      an error: it is not known which of the two is meant
 *   live neither           b, renamed from a      as without it
 */
export function withRenames<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  items: readonly DesiredItem<Desired>[],
): ListedKind<Desired, Live> {
  const renamed = new Map(items.flatMap(({ key, renamedFrom: from }) => (from === undefined ? [] : [[from, key]])));
  if (renamed.size === 0) return listed;
  const { identity, keyOf, desiredForm, liveForm } = listed;
  const field = identity.join('/');
  const names = new Set([...renamed].flat());
  const form = (item: object, others: unknown) => {
    const name = memberOf(item, field);
    return typeof name === 'string' && names.has(name) ? { [field]: name, ...(others as object) } : others;
  };
  return {
    ...listed,
    keyOf: (live) => renamed.get(keyOf(live)) ?? keyOf(live),
    desiredForm: (value) => form(value, desiredForm(value)),
    liveForm: (live) => form(live, liveForm(live)),
  };
}

/** One note for each item that has its new name, so that `renamed_from` can be deleted. */
export function reachedRenames<Desired, Live>(
  { kind, keyOf }: Pick<ListedKind<Desired, Live>, 'kind' | 'keyOf'>,
  items: readonly DesiredItem<Desired>[],
  live: readonly Live[],
): Finding[] {
  const renamed = items.filter(({ renamedFrom }) => renamedFrom !== undefined);
  if (renamed.length === 0) return [];
  const names = groupBy(live, keyOf);
  return renamed.flatMap((item) =>
    names.has(item.key) && !names.has(item.renamedFrom ?? '') ? [reachedFinding(kind, item)] : [],
  );
}
