import type { Field, Fields } from '../model/field.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import { hasField, isListOfKeys, membersOf } from './members.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * The form in which both sides of an item are compared: its declared fields without identity and secrets, and lists
 * whose order has no meaning in one order.
 *
 *   { name: crm, status: enabled, events: [{ type: b }, { type: a }, { type: b }] }
 *   ->  { status: enabled, events: [a, b] }
 */
export function comparableItem(fields: Fields): { desired: (item: object) => Item; live: (item: object) => Item } {
  const compared = Object.entries(fields).filter(([, field]) => field.identity !== true && field.secret === undefined);
  const formOf = new Map(compared.map(([name, field]) => [name, hasField(field, needsForm) ? field : null]));
  const members = (item: object, empty: (field: Field) => unknown) => {
    const form: Record<string, unknown> = {};
    for (const [name, field] of compared) {
      const value = (item as Item)[name] ?? empty(field);
      if (value === undefined) continue;
      const marked = formOf.get(name);
      form[name] = marked ? comparable(marked, value) : value;
    }
    return form;
  };
  return {
    desired: (item) => members(item, () => undefined),
    // A list that the tenant does not return is empty.
    live: (item) => members(item, ({ items }) => (items === undefined ? undefined : [])),
  };
}

function needsForm({ secret, list }: Field): boolean {
  return secret !== undefined || list === 'set' || list === 'key';
}

export function comparable(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return comparableList(field, value);
  if (!isRecord(value)) return value;
  const members = membersOf(field, value);
  const compared = Object.entries(value).filter(([name]) => members[name]?.secret === undefined);
  return Object.fromEntries(compared.map(([name, child]) => [name, comparable(members[name] ?? {}, child)]));
}

/** An element that has nothing but its key is its key. */
function comparableList(field: Field, list: readonly unknown[]): unknown[] {
  const forms = list.map((one) => comparable(field.items ?? {}, one));
  if (field.list !== 'set' && field.list !== 'key') return forms;
  const byName = new Map(forms.map((one) => [elementName(field, one), one]));
  return [...byName]
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, one]) => (isListOfKeys(field) ? name : one));
}

/** What distinguishes an element from the others of its list. */
export function elementName({ key, items = {} }: Field, element: unknown): string {
  return key === undefined ? canonicalJson(comparable(items, element)) : String(memberOf(element, key));
}
