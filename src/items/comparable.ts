import equal from 'fast-deep-equal';
import type { Field, Fields } from '../model/field.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import { hasField, isListOfKeys, membersOf } from './members.ts';

type Item = Readonly<Record<string, unknown>>;

const keepAll = (_field: Field, _value: unknown): boolean => false;

/**
 * Everything of a live item that is compared, in a form in which two equal items are equal: without identity and secrets,
 * lists whose order has no meaning in one order, and without what is the same as nothing, which only some responses may
 * have. A list that the tenant does not return is empty.
 *
 *   { id, name: crm, status: enabled, events: [{ type: b }, { type: a }, { type: b }] }  ->  { status: enabled, events: [a, b] }
 */
export function comparableLive(fields: Fields): (item: object) => Item {
  const compared = Object.entries(fields).filter(([, field]) => !field.identity && field.secret === undefined);
  const formOf = new Map(compared.map(([name, field]) => [name, hasField(field, needsForm) ? field : null]));
  return (item) => {
    const form: Record<string, unknown> = {};
    for (const [name, field] of compared) {
      const value = (item as Item)[name] ?? field.none ?? (field.items === undefined ? undefined : []);
      if (value === undefined) continue;
      const marked = formOf.get(name);
      form[name] = marked ? comparable(marked, value, item, isNothing) : value;
    }
    return form;
  };
}

function needsForm({ secret, items, none }: Field): boolean {
  return secret !== undefined || items !== undefined || none !== undefined;
}

function isNothing({ items, none }: Field, value: unknown): boolean {
  if (items !== undefined && Array.isArray(value) && value.length === 0) return true;
  return none !== undefined && equal(value, none);
}

/** `around`: the object that has the field. `leavesOut`: which values below it are left out. */
export function comparable(field: Field, value: unknown, around: unknown = {}, leavesOut = keepAll): unknown {
  if (Array.isArray(value)) return comparableList(field, value, leavesOut);
  if (!isRecord(value)) return value;
  const members = membersOf(field, value, around) ?? {};
  const fieldOf = (name: string) => members[name] ?? field.map ?? {};
  const compared = Object.entries(value).filter(([name]) => fieldOf(name).secret === undefined);
  const forms = compared.map(([name, child]) => [name, comparable(fieldOf(name), child, value, leavesOut)] as const);
  return Object.fromEntries(forms.filter(([name, form]) => !leavesOut(fieldOf(name), form)));
}

/**
 * A live item for people, with the lists whose order has no meaning in one order: the service may return them in another one
 * each time, and two plans of one state are the same.
 */
export function inSetOrder(fields: Fields): (item: object) => object {
  const unordered = Object.entries(fields).filter(([, field]) => hasField(field, isUnordered));
  return (item) => {
    const values = unordered.flatMap(([name, field]) => {
      const value = memberOf(item, name);
      return value === undefined ? [] : [[name, ordered(field, value, item)]];
    });
    return values.length === 0 ? item : { ...item, ...Object.fromEntries(values) };
  };
}

function ordered(field: Field, value: unknown, around: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((one) => ordered(field.items ?? {}, one, {}));
    if (!isUnordered(field)) return elements;
    return elements.toSorted((one, other) => compareText(elementName(field, one), elementName(field, other)));
  }
  if (!isRecord(value)) return value;
  const members = membersOf(field, value, around) ?? {};
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, ordered(members[name] ?? field.map ?? {}, one, value)]),
  );
}

function isUnordered({ list }: Field): boolean {
  return list === 'set' || list === 'key';
}

/** An element that has nothing but its key is its key. */
function comparableList(field: Field, list: readonly unknown[], leavesOut: typeof keepAll): unknown[] {
  const forms = list.map((one) => comparable(field.items ?? {}, one, {}, leavesOut));
  if (!isUnordered(field)) return forms;
  const byName = new Map(forms.map((one) => [elementName(field, one), one]));
  return [...byName]
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, one]) => (isListOfKeys(field) ? name : one));
}

/** What distinguishes an element from the others of its list. */
export function elementName({ key, items = {} }: Field, element: unknown): string {
  return key === undefined ? canonicalJson(comparable(items, element)) : String(memberOf(element, key));
}
