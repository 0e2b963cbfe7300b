/** What behaviors do with the values of items. */
import { isRecord } from '../../values/is-record.ts';
import type { Item } from './item-store.ts';

/** Whether an item has the same values under these names; one without any of them has none. */
export function hasSame(item: Item, names: readonly string[]): (other: Item) => boolean {
  return (other) => names.every((name) => item[name] !== undefined && item[name] === other[name]);
}

/** The fields with these names alone. */
export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** All other fields. */
export function omit(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** The fields that are not null. */
export function withoutNulls(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

/** The value without the fields of these names, in objects and lists as well. */
export function omitBelow<Value>(value: Value, names: readonly string[]): Value;
export function omitBelow(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => omitBelow(one, names));
  if (!isRecord(value)) return value;
  const members = Object.entries(omit(value, names));
  return Object.fromEntries(members.map(([name, member]) => [name, omitBelow(member, names)]));
}

/** The body over the item, in objects below as well. Lists are replaced. */
export function merged(item: Item, body: Item): Item {
  const members = Object.entries(body).map(([name, value]) => {
    const before = item[name];
    return [name, isRecord(value) && isRecord(before) ? merged(before, value) : value];
  });
  return { ...item, ...Object.fromEntries(members) };
}

/** The objects of the list under a name; none if there is no list. */
export function listAt(item: Item, name: string): readonly Item[] {
  const value = item[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The object under a name; an empty one if there is none. */
export function objectAt(item: Item, name: string): Item {
  const value = item[name];
  return isRecord(value) ? value : {};
}
