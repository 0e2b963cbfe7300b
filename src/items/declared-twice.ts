// Two items of the files that are one item of the tenant: one by its name and one by its id, or each by another name of what it
// is named after.
import { itemFinding } from '../differ/draft.ts';
import type { DecideInput, DesiredItem } from '../model/kind.ts';
import { idPrefix } from '../model/names.ts';
import type { Finding } from '../model/plan.generated.ts';
import type { KindDescription } from '../model/resource.ts';
import { groupBy } from '../values/group-by.ts';
import { canBeNamed } from './fits.ts';
import { declaredKey, declaredPlace, hasNamesInKeys, keyByIds, openKeys } from './keys.ts';

interface Separated<Desired, Live> {
  readonly input: DecideInput<Desired, Live>;
  readonly findings: readonly Finding[];
}

/** The input without such items, and an error for each: it is not known which one to follow. */
export function withoutTwice<Desired extends object, Live extends object, Given extends Separated<Desired, Live>>(
  description: KindDescription,
  given: Given,
): Given {
  const { input, findings } = given;
  const { desired, live, names } = input;
  if (!live.readable) return given;
  const same = sameItems(description, desired.items, live.items, names);
  if (same.length === 0) return given;
  const keyOf = openKeys<Live>(description, { items: desired.items, live: live.items, names });
  const keys = new Set(same.flat().map(({ key }) => key));
  const errors = same.flatMap((items) => {
    const places = items.map((item) => {
      const { file, line, column } = item.at('');
      return `"${item.key}" at ${file}:${line}:${column}`;
    });
    const message = `${places.join(' and ')} are the same ${description.noun.one}; merge them into one entry`;
    return items.map((item) => itemFinding(description.name, item, 'LIVE_DECLARED_TWICE', message));
  });
  return {
    ...given,
    input: {
      ...input,
      desired: { ...desired, items: desired.items.filter(({ key }) => !keys.has(key)) },
      live: { ...live, items: live.items.filter((item) => !keys.has(keyOf(item))) },
    },
    findings: [...findings, ...errors],
  };
}

type Items = readonly DesiredItem[];

function sameItems(
  description: KindDescription,
  items: Items,
  live: readonly object[],
  names: DecideInput<object, object>['names'],
): Items[] {
  if (description.unique !== false) {
    if (!hasNamesInKeys(description, items)) return [];
    const byPlace = groupBy(items, ({ value }) => declaredPlace(description, value, names));
    return [...byPlace.values()].filter((same) => same.length > 1);
  }
  const byId = new Map(items.flatMap((item) => (item.key.startsWith(idPrefix) ? [[item.key, item] as const] : [])));
  if (byId.size === 0) return [];
  const byName = groupBy(live, (one) => declaredKey(description, one));
  return items.flatMap((item) => {
    if (byId.has(item.key)) return [];
    const named = [item.key, item.renamedFrom ?? ''].map((text) =>
      (byName.get(text) ?? []).filter((one) => canBeNamed(description, one, item, names)),
    );
    const meant = named.find((all) => all.length > 0) ?? [];
    const others = meant.flatMap((one) => byId.get(keyByIds(description, one)) ?? []);
    // The name may be that of another one.
    return others.length === 0 || others.length < meant.length ? [] : [[item, ...others]];
  });
}
