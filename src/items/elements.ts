// Elements of a set that has operations of its own, as the files have them and as the service has them.
import type { ContainerPart } from '../differ/container-kind.ts';
import { itemFinding } from '../differ/draft.ts';
import type { DesiredItem } from '../model/kind.ts';
import type { Names } from '../model/names.ts';
import type { Finding } from '../model/plan.generated.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { namesIn, samePlace } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

export interface Element extends ContainerPart {
  readonly file: Item;
  readonly live: Item;
}

/** The elements that an item of the files declares, and those of the tenant: `id` is the same for one element. */
export function openElements(set: Resource, names: Names | undefined) {
  const { key, short, absent = '', scalar = '' } = set;
  const shown = short === undefined ? key : [...key.filter((name) => name !== short), short];
  const elementOf = (file: Item, live: Item): Element => ({
    id: canonicalJson(key.map((name) => live[name] ?? null)),
    name: shown.map((name) => String(file[name] ?? '')).join(' of '),
    value: true,
    ...{ file, live },
  });
  const mapped = (element: Item, change: typeof namesIn): Item =>
    Object.fromEntries(key.map((name) => [name, change(set.fields[name] ?? {}, element[name], names)]));
  const declared = (written: unknown): Element => {
    const file = isRecord(written) ? written : { [scalar]: written };
    return elementOf(file, mapped(file, samePlace));
  };
  const listed = (value: unknown, name: string) =>
    (memberOf(value, name) as readonly unknown[] | undefined)?.map(declared);
  return {
    /** Those that an item is to have, or null if it does not say, and those that it must not have. */
    declaredBy: (value: unknown, name: string) => ({
      wanted: listed(value, name) ?? null,
      unwanted: listed(value, absent) ?? [],
    }),
    live(element: object): Element {
      const own = element as Item;
      return elementOf(mapped(own, namesIn), own);
    },
    /** In the form of the files. */
    inFiles: ({ file }: Element): unknown => file[scalar] ?? file,
  };
}

/** Live elements by their keys: one that has no key of its own is known by its id. */
export function withKeys({ unique, key: [name = ''] }: Resource, elements: readonly object[]): readonly object[] {
  if (unique !== false) return elements;
  const keyOf = (one: object) => String(memberOf(one, name) ?? '');
  const alike = groupBy(elements, keyOf);
  const hasKey = (one: object) => keyOf(one) !== '' && alike.get(keyOf(one))?.length === 1;
  return elements.map((one) => (hasKey(one) ? one : { ...one, [name]: memberOf(one, 'id') }));
}

/** Whether an item itself has what the elements of a set give: who has the item loses or gains it. */
export function isHeldByItem({ access }: Pick<Resource, 'access'>): boolean {
  return access?.holder[0] === '^';
}

/** Equal for elements whose keys differ only by case or slashes. */
function looseForm({ id }: Element): string {
  return id.toLowerCase().replaceAll(/\/+/g, '/').replaceAll('/"', '"');
}

/**
 * Warnings for elements that must not be there and are not, while the item has one that differs only by case or slashes.
 *
 *   absent   delete:orders of https://orders.example
 *   live     delete:orders of https://orders.example/   ->  a warning with both
 */
export function nearElements(
  kind: string,
  noun: KindDescription['noun'],
  { absent = '' }: Resource,
  item: DesiredItem<object>,
  unwanted: readonly Element[],
  live: readonly Element[],
): Finding[] {
  if (unwanted.length === 0) return [];
  const [held, listed] = [new Set(live.map(({ id }) => id)), new Set(unwanted.map(({ id }) => id))];
  const byForm = groupBy(
    live.filter(({ id }) => !listed.has(id)),
    looseForm,
  );
  return unwanted.flatMap((one, index) => {
    const [near] = byForm.get(looseForm(one)) ?? [];
    if (near === undefined || held.has(one.id)) return [];
    const message = `${absent} lists ${one.name}, but the ${noun.one} has ${near.name}; they differ only by case or slashes`;
    return [itemFinding(kind, item, 'LIVE_NEAR_PERMISSION', message, jsonPointer(absent, index))];
  });
}
