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

/** The value without the fields of these names, in objects and lists as well. */
export function omitBelow<Value>(value: Value, names: readonly string[]): Value;
export function omitBelow(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => omitBelow(one, names));
  if (!isRecord(value)) return value;
  const members = Object.entries(omit(value, names));
  return Object.fromEntries(members.map(([name, member]) => [name, omitBelow(member, names)]));
}

/** The object under a name; an empty one if there is none. */
export function objectAt(item: Item, name: string): Item {
  const value = item[name];
  return isRecord(value) ? value : {};
}
