// A set for all of whose elements a field of the item can stand, such as allow_all_scopes of a client grant. A declared set is
// complete, so it says that this field is not set.
import type { DecideInput } from '../model/kind.ts';
import type { KindDescription } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { accessSets } from './effects/access.ts';
import { openKeys } from './keys.ts';

type Item = Readonly<Record<string, unknown>>;

/** The sets that an item declares, and the field that stands for all their elements and is not declared. */
function setsOf(
  description: Pick<KindDescription, 'resources'>,
  item: object,
): (readonly [set: string, all: string])[] {
  return accessSets(description).flatMap(
    ([
      set,
      {
        access: { all },
      },
    ]) =>
      all !== undefined && memberOf(item, set) !== undefined && memberOf(item, all) === undefined ? [[set, all]] : [],
  );
}

/** The input in which such a field of a live item differs from the files. */
export function withoutAll<Desired extends object, Live extends object>(
  description: KindDescription,
  input: DecideInput<Desired, Live>,
): DecideInput<Desired, Live> {
  const { desired, live, names } = input;
  if (!live.readable) return input;
  const fields = accessSets(description).flatMap(([, { access }]) => access.all ?? []);
  const holding = live.items.filter((item) => fields.some((name) => memberOf(item, name) === true));
  if (holding.length === 0) return input;
  const keyOf = openKeys<Live>(description, { items: desired.items, live: live.items, names });
  const byKey = new Map(holding.map((item) => [keyOf(item), item]));
  const items = desired.items.map((item) => {
    const found = byKey.get(item.key);
    if (item.state !== 'present' || found === undefined) return item;
    const held = setsOf(description, item.value).filter(([, all]) => memberOf(found, all) === true);
    const cleared = held.map(([, all]) => [all, description.fields[all]?.none ?? false]);
    return { ...item, value: { ...item.value, ...Object.fromEntries(cleared) } };
  });
  return { ...input, desired: { ...desired, items } };
}

/** A written item with the field in place of the set, where the live item has it. */
export function withAll(description: Pick<KindDescription, 'resources'>, written: object, live: object): Item {
  const held = setsOf(description, written).filter(([, all]) => memberOf(live, all) === true);
  const sets = new Map(held);
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      const all = sets.get(name);
      return all === undefined ? [name, value] : [all, true];
    }),
  );
}
