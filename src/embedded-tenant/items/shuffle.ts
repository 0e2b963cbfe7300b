/**
 * Lists whose order has no meaning have another one in each response (public facts 9.1), so that nothing relies on it. Which lists
 * these are is what their values are, not what a write does.
 */
import type { Field, Fields } from '../../model/field.ts';
import { isRecord } from '../../values/is-record.ts';
import type { Item } from './item-store.ts';

/** The item as a response has it; responses are numbered. */
export function shuffler(fields: Fields): (item: Item, response: number) => Item {
  const hasSet = JSON.stringify(fields).includes('"list":"set"');
  return (item, response) => (hasSet ? shuffledMembers(item, fields, response) : item);
}

function shuffledMembers(item: Item, fields: Fields, response: number): Item {
  const present = Object.entries(fields).map(([name, field]) => [field.wire ?? name, field] as const);
  const changed = present
    .filter(([name]) => Object.hasOwn(item, name))
    .map(([name, field]) => [name, shuffled(item[name], field, response, item)] as const);
  return { ...item, ...Object.fromEntries(changed) };
}

/** `beside` is the object that has the value. */
function shuffled(value: unknown, field: Field, response: number, beside: Item): unknown {
  if (Array.isArray(value)) {
    const { items = {}, list } = field;
    const shown = value.map((element) => shuffled(element, items, response, beside));
    return list === 'set' ? rotated(shown, response) : shown;
  }
  return isRecord(value) ? shuffledMembers(value, fieldsOf(field, value, beside), response) : value;
}

function fieldsOf({ fields, forms, map }: Field, value: Item, beside: Item): Fields {
  if (map !== undefined) return Object.fromEntries(Object.keys(value).map((key) => [key, map]));
  const form = forms && (forms.beside ? beside : value)[forms.by];
  return fields ?? forms?.of[String(form)] ?? {};
}

function rotated(list: readonly unknown[], by: number): readonly unknown[] {
  const first = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
