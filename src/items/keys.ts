import type { Field } from '../model/field.ts';
import type { DesiredItem, ResourceKind } from '../model/kind.ts';
import { idPrefix, type Names, noNames } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import { once } from '../values/memoized.ts';
import { canBeNamed } from './fits.ts';
import { namedIn, namesIn, samePlace, textsFor, valueIn } from './references.ts';

/** What a tenant has at most once has no key fields: its key is the name of its kind. */
type Keyed = Pick<Resource, 'key' | 'id' | 'unique' | 'byId' | 'skip' | 'fields'> & { readonly name?: string };

/** What the key of a live item depends on, beside the item. */
export interface Population<Live> {
  readonly items: readonly DesiredItem[];
  readonly live: readonly Live[];
  readonly names?: Names | undefined;
}

/** The key that files have for an item: its id, if they state one because others have its name, or its key fields. */
export function declaredKey({ key, unique, byId, fields, name }: Omit<Keyed, 'id'>, item: unknown): string {
  if (key.length === 0) return name ?? '';
  const own = unique === false || byId ? memberOf(item, 'id') : undefined;
  return typeof own === 'string'
    ? `${byId ? '' : idPrefix}${own}`
    : joined(key.map((name) => textOf(fields[name], valueIn(item, name, fields[name]))));
}

/** The fields of a written item that are its key. */
export function keyFields({ key, fields, byId }: Pick<Keyed, 'key' | 'fields' | 'byId'>): string[] {
  const names = key.flatMap((name) => [name, ...[fields[name]?.ref?.as?.field ?? []].flat()]);
  return byId ? [...names, 'id'] : names;
}

/** Whether the keys of these items depend on what they name. */
export function hasNamesInKeys(
  { key, fields }: Pick<Keyed, 'key' | 'fields'>,
  items: Population<object>['items'],
): boolean {
  return key.some((name) => {
    const { ref } = fields[name] ?? {};
    if (ref?.as === undefined) return ref !== undefined;
    return items.some(({ value }) => namedIn(ref, memberOf(value, name), 'item') !== null);
  });
}

/**
 * Keys of live items. References are compared by id, so an item has the key under which files declare it, however they
 * write it. No other item has that key: it is known by ids.
 *
 *   declared { client: { id: c1 }, audience: a }   live { client: c1, audience: a }, c1 is Web      ->  id:c1/a
 *   not declared                                                                                    ->  Web/a
 *   declared { client: Web, audience: x/a }   live { client: c2, audience: a }, c2 is Web/x         ->  id:c2/a
 *   declared { name: Web }, live c1 and c2, both Web                                                ->  Web, twice
 *   declared { id: c1 }                                                                             ->  id:c1; c2 is id:c2
 *   declared { selector: client_id:c1 }   live client_id:c1 and client_id:c2, c1 is Web, c2 is Job  ->  client_id:c1; client:Job
 */
export function openKeys<Live extends object>(
  resource: Keyed,
  { items, live, names }: Population<Live>,
): (live: Live) => string {
  const { key, id, unique, byId, fields, name: ofKind = '' } = resource;
  if (key.length === 0) return () => ofKind;
  const partsOf = (item: unknown, partOf: (field: Field, value: unknown) => unknown) =>
    key.map((name) => textOf(fields[name], partOf(fields[name] ?? {}, memberOf(item, name))));
  // A live item has ids: one of them may be the name of another item.
  const livePlace = (item: unknown) => canonicalJson(partsOf(item, (_field, value) => value));
  const nameOf = (item: unknown) => joined(partsOf(item, (field, value) => namesIn(field, value, names)));
  const isById = unique === false || byId === true;
  const keys = new Set(items.map((item) => item.key));
  if (!isById && !hasNamesInKeys(resource, items)) {
    if (key.every((name) => fields[name]?.ref === undefined)) return nameOf;
    return (item) => {
      const own = keyByIds(resource, item);
      return keys.has(own) ? own : nameOf(item);
    };
  }
  const declared = new Map(
    items.flatMap((item) => {
      const { key: own, value, renamedFrom } = item;
      if (isDeclaredById(resource, item)) return [];
      const old =
        renamedFrom === undefined ? [] : [[canonicalJson([renamedFrom]), { item, key: renamedFrom }] as const];
      return [...old, [declaredPlace(resource, value, names), { item, key: own }] as const];
    }),
  );
  const byIds = new Set(items.flatMap((item) => (isDeclaredById(resource, item) ? [item.key] : [])));
  // A name that is also an id identifies nothing.
  const ids = once(() => new Set(byId ? live.map((item) => memberOf(item, id)) : []));
  const meant = (item: Live) => {
    const found = declared.get(livePlace(item));
    return canBeNamed(resource, item, found?.item, names) ? { key: found?.key } : null;
  };
  const named = groupBy(isById ? live.filter(meant) : live, nameOf);
  return (item) => {
    const own = keyByIds(resource, item);
    if (isById && byIds.has(own)) return own;
    const found = meant(item);
    if (found?.key !== undefined) return found.key;
    const text = nameOf(item);
    if (isById && (text === '' || text.startsWith(idPrefix) || ids().has(text))) return own;
    return found === null || keys.has(text) || (named.get(text)?.length ?? 1) > 1 ? own : text;
  };
}

/** Whether files name an item by its id. */
export function isDeclaredById({ unique, byId }: Keyed, { key, value }: Pick<DesiredItem, 'key' | 'value'>): boolean {
  return byId ? memberOf(value, 'id') !== undefined : unique === false && key.startsWith(idPrefix);
}

/** Whether an item declares fields of its own. What identifies it is one only if it can become another. */
export function declaresFields(resource: Keyed, { value, renamedFrom, ...item }: DesiredItem): boolean {
  const keeps = renamedFrom !== undefined || isDeclaredById(resource, { ...item, value });
  const names = Object.keys(resource.fields).filter((name) => keeps || !resource.key.includes(name));
  return names.some((name) => memberOf(value, name) !== undefined);
}

/** The values of a declared key, with ids in place of names: two items with the same ones are one item of the tenant. */
export function declaredPlace({ key, fields }: Keyed, item: unknown, names: Names | undefined): string {
  return canonicalJson(
    key.map((name) => textOf(fields[name], samePlace(fields[name] ?? {}, memberOf(item, name), names))),
  );
}

/** The key of a live item with ids in place of every name. */
export function keyByIds({ key, id, unique, byId, fields }: Keyed, item: unknown): string {
  if (unique === false || byId) return (byId ? '' : idPrefix) + String(memberOf(item, id));
  return joined(key.map((name) => textOf(fields[name], namesIn(fields[name] ?? {}, memberOf(item, name), noNames))));
}

interface ProtectHook {
  protectedAs?(item: object): string;
}

/**
 * Every name of a live item that a pattern under `protect` may mean, whatever the files call it or what it is named after.
 *
 *   client c1, Web          ->  Web, id:c1, c1
 *   grant of c1 for a       ->  Web/a, id:c1/a
 */
export function protectedNames(
  resource: Keyed,
  { protectedAs }: ProtectHook,
  names: Names = noNames,
): (item: object) => string[] {
  const { key, id, unique, byId, fields } = resource;
  const { shortKey = String } = shortKeys(resource);
  return (item) => {
    const texts = key.reduce<readonly (readonly string[])[]>(
      (before, name) => {
        const value = memberOf(item, name);
        const all = textsFor(fields[name] ?? {}, value, names);
        const parts = all.length > 0 ? all : [textOf(fields[name], value)];
        return before.flatMap((some) => parts.map((part) => [...some, part]));
      },
      [[]],
    );
    const own = memberOf(item, id);
    const isNamedById = (unique === false || byId) && own !== undefined;
    const ids = isNamedById ? [...(byId ? [] : [idPrefix + String(own)]), String(own)] : [];
    const more = protectedAs === undefined ? ids : [...ids, protectedAs(item)];
    return [...texts.map(joined).flatMap((text) => [text, shortKey(text)]), ...more].filter((text) => text !== '');
  };
}

/** The same of a declared item. */
export function declaredNames(resource: Keyed, { protectedAs }: ProtectHook, item: object): string[] {
  const key = declaredKey(resource, item);
  const beside = resource.byId ? resource.key.flatMap((name) => memberOf(item, name) ?? []).map(String) : [];
  return [key, shortKeys(resource).shortKey?.(key) ?? key, ...beside, ...(protectedAs ? [protectedAs(item)] : [])];
}

/**
 * Keys without the last part, or without those before it, where they are values that absent fields have:
 *
 *   Billing job/https://orders.example//client  <->  Billing job/https://orders.example/
 *   oauth_authentication_api/client/default      ->  default
 */
export function shortKeys({ key, fields }: Keyed): Pick<ResourceKind, 'shortKey' | 'completeKey'> {
  const { none, values = [] } = fields[key.at(-1) ?? ''] ?? {};
  if (key.length < 2) return {};
  if (none === undefined) {
    const start = key.map((name, index) => (index < key.length - 1 ? fields[name]?.none : ''));
    if (start.includes(undefined)) return {};
    const before = start.join('/');
    return { shortKey: (name) => (name.startsWith(before) && name !== before ? name.slice(before.length) : name) };
  }
  const end = `/${none}`;
  const isComplete = (name: string) => name.endsWith('*') || values.some((value) => name.endsWith(`/${value}`));
  return {
    shortKey: (name) => (name.endsWith(end) ? name.slice(0, -end.length) : name),
    completeKey: (name) => (isComplete(name) ? name : name + end),
  };
}

function textOf(field: Field | undefined, value: unknown): string {
  return String(value ?? field?.none ?? '');
}

/** Leading parts that are empty are left out. */
function joined(values: readonly string[]): string {
  const first = values.findIndex((value) => value !== '');
  return first < 0 ? '' : values.slice(first).join('/');
}
