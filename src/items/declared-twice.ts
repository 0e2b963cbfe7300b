// Items of the files that are in each other's way: two that are one item of the tenant, by its name and by its id or each by
// another name of what it is named after, and those that would get a name which another one has or gets.
import { locationText } from '../diagnostics/source-text.ts';
import { itemFinding } from '../differ/draft.ts';
import type { DecideInput, DesiredItem } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import type { KindDescription } from '../model/resource.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import { canBeNamed } from './fits.ts';
import {
  declaredKey,
  declaredPlace,
  declaresFields,
  hasNamesInKeys,
  isDeclaredById,
  keyByIds,
  openKeys,
} from './keys.ts';

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
  const keyOf = openKeys<Live>(description, { items: desired.items, live: live.items, names });
  const { name: kind, noun } = description;
  const twice = sameItems(description, desired.items, live.items, names).flatMap(({ items, what = '', fix = '' }) => {
    const message = `${places(description, items)} are the same ${noun.one}${what}; merge them into one entry${fix}`;
    return items.map((item) => ({
      item,
      finding: itemFinding(kind, item, 'LIVE_DECLARED_TWICE', message, placeOf(description, item)),
    }));
  });
  const errors = [...twice, ...takenNames(description, desired.items, live.items, keyOf)];
  if (errors.length === 0) return given;
  const keys = new Set(errors.flatMap(({ item }) => [item.key, item.renamedFrom ?? []].flat()));
  return {
    ...given,
    input: {
      ...input,
      desired: { ...desired, items: desired.items.filter(({ key }) => !keys.has(key)) },
      live: { ...live, items: live.items.filter((item) => !keys.has(keyOf(item))) },
    },
    findings: [...findings, ...errors.map(({ finding }) => finding)],
  };
}

/** Of an item that files can name by its id, what names it. */
function placeOf(description: KindDescription, item: DesiredItem<object>): string {
  if (!description.byId) return '';
  return isDeclaredById(description, item) ? '/id' : `/${description.key[0]}`;
}

function places(description: KindDescription, items: Items): string {
  const textOf = (item: DesiredItem<object>) => `"${item.key}" at ${locationText(item.at(placeOf(description, item)))}`;
  return items.map(textOf).join(' and ');
}

type Items = readonly DesiredItem<object>[];

interface SameItems {
  readonly items: Items;
  /** Which one they are, and what else can be done, where a name is that of one item only. */
  readonly what?: string;
  readonly fix?: string;
}

function sameItems(
  description: KindDescription,
  items: Items,
  live: readonly object[],
  names: DecideInput<object, object>['names'],
): SameItems[] {
  const { key, id, unique, byId, fields } = description;
  if (unique !== false && !byId) {
    if (!hasNamesInKeys(description, items)) return [];
    const byPlace = groupBy(items, ({ value }) => declaredPlace(description, value, names));
    return [...byPlace.values()].flatMap((same) => (same.length > 1 ? [{ items: same }] : []));
  }
  if (!items.some((item) => isDeclaredById(description, item) || item.renamedFrom !== undefined)) return [];
  const nameOf = (one: object | undefined) => declaredKey({ key, fields }, one);
  const byName = groupBy(live, nameOf);
  /** The live items that a declared one may be. */
  const meantBy = (item: DesiredItem<object>): readonly string[] => {
    if (isDeclaredById(description, item)) return [item.key];
    const named = [item.key, item.renamedFrom ?? []]
      .flat()
      .map((text) => (byName.get(text) ?? []).filter((one) => canBeNamed(description, one, item, names)));
    return (named.find((all) => all.length > 0) ?? []).map((one) => keyByIds(description, one));
  };
  const meant = items.map((item) => ({ item, ids: meantBy(item) }));
  const claims = groupBy(
    meant.flatMap(({ item, ids }) => ids.map((one) => ({ item, one }))),
    ({ one }) => one,
  );
  const groups = meant.flatMap(({ item, ids }) => {
    const others = ids.map((one) => (claims.get(one) ?? []).filter((claim) => claim.item !== item));
    // The name may be that of another one.
    if (isDeclaredById(description, item) || ids.length === 0 || others.some((all) => all.length === 0)) return [];
    const same = new Set([item, ...others.flat().map((claim) => claim.item)]);
    return [{ items: items.filter((one) => same.has(one)), own: ids[0] }];
  });
  const distinct = new Map(groups.map((group) => [group.items.map((one) => one.key).join('\n'), group]));
  return [...distinct.values()].map(({ items: same, own }) => {
    if (!byId) return { items: same };
    const name = nameOf(live.find((one) => memberOf(one, id) === own));
    const isRenamed = ({ value }: DesiredItem<object>) => (memberOf(value, key[0] ?? '') ?? name) !== name;
    const fix = same.some(isRenamed) ? ', or if they are two, rename in an apply of its own first' : '';
    return { items: same, what: `, ${own}`, fix };
  });
}

/**
 * An error for each item that would get a name which another one of the tenant has, also if the same plan would free it, or
 * which another item of the files would get: the service refuses it. Of items that files can name by their ids.
 */
function takenNames<Live extends object>(
  description: KindDescription,
  items: Items,
  live: readonly Live[],
  keyOf: (live: Live) => string,
): { readonly item: DesiredItem<object>; readonly finding: Finding }[] {
  const { name: kind, noun, id, byId, key } = description;
  const [field = ''] = key;
  if (!byId) return [];
  const byKey = new Map(live.map((one) => [keyOf(one), one]));
  const byName = groupBy(live, (one) => memberOf(one, field));
  const nameOf = (item: DesiredItem<object>) => memberOf(item.value, field);
  const present = items.filter(({ state }) => state === 'present');
  const getting = present.filter((item) => {
    const one = byKey.get(item.key);
    if (one === undefined) return !isDeclaredById(description, item) && declaresFields(description, item);
    return nameOf(item) !== undefined && nameOf(item) !== memberOf(one, field);
  });
  const finding = (item: DesiredItem<object>, message: string, pointer: string) => ({
    item,
    finding: itemFinding(kind, item, 'LIVE_RENAME_CONFLICT', message, pointer),
  });
  return [...groupBy(getting, nameOf)].flatMap(([name, all]) => {
    const same = `${places(description, all)} would get the same ${field}; merge them, or choose another ${field}`;
    if (all.length > 1) return all.map((item) => finding(item, same, placeOf(description, item)));
    const [item] = all;
    const rivals = (byName.get(name) ?? []).map((one) => String(memberOf(one, id))).sort(compareText);
    if (item === undefined || rivals.length === 0 || item.renamedFrom !== undefined) return [];
    const message = `the ${field} "${name}" is used by ${rivals.join(', ')}; rename or delete that ${noun.one} in an apply of its own first`;
    return [finding(item, message, `/${field}`)];
  });
}
