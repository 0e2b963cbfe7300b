import type { Field, Fields, Reference } from '../model/field.ts';
import { idPrefix, type Named, type Names } from '../model/names.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { hasField, membersOf } from './members.ts';

/** The reference of a field, or of the elements of its list. */
function referenceOf({ ref, items }: Field): Reference | undefined {
  return ref ?? items?.ref;
}

/** `change`: null for a text that stays. */
function mapped(
  field: Field,
  value: unknown,
  from: Side,
  change: (name: string, to: Reference) => string | null,
): unknown {
  const to = referenceOf(field);
  if (to === undefined || to.by !== undefined) return value;
  const one = (text: unknown) => {
    const name = namedIn(to, text, from);
    const changed = name === null ? null : change(name, to);
    return changed === null ? text : leadOf(to, from === 'item' ? 'service' : 'item') + changed;
  };
  return Array.isArray(value) ? value.map(one) : one(value);
}

/** An item has names, and the service has ids. */
export type Side = 'item' | 'service';

/** What is before the name or the id of another item. */
export function leadOf({ as }: Reference, side: Side): string {
  if (as === undefined) return '';
  return side === 'item' ? `${as.field}:` : as.prefix;
}

/** The name or the id that a value has; null if it names nothing. */
export function namedIn(ref: Reference, value: unknown, side: Side): string | null {
  const lead = leadOf(ref, side);
  return typeof value === 'string' && value.startsWith(lead) ? value.slice(lead.length) : null;
}

/** The value of a field of an item that files can write in another field: `{ client: { id: c1 } }` is `client:id:c1`. */
export function valueIn(item: unknown, name: string, field: Field = {}): unknown {
  const { ref } = field;
  const named = ref?.as === undefined ? undefined : memberOf(item, ref.as.field);
  if (ref === undefined || named === undefined) return withTexts(field, memberOf(item, name));
  return leadOf(ref, 'item') + String(withTexts(field, named));
}

/**
 * A declared value with the ids that the service has, where the items exist: two names of one item are the same. The name of
 * an item that does not exist is no id, also if another item has this id.
 */
export function samePlace(field: Field, value: unknown, names: Names | undefined): unknown {
  const idIn = (name: string, to: Reference['to']) => givenId(name) ?? idOf(names?.find(to, name));
  return mapped(field, value, 'item', (name, { to }) => idIn(name, to) ?? `the name ${name}`);
}

/** The id that files state in place of a name; it may be that of an item which is not managed. */
function givenId(name: string): string | undefined {
  return name.startsWith(idPrefix) ? name.slice(idPrefix.length) : undefined;
}

function idOf(named: Named | undefined): string | undefined {
  return named?.is === 'live' || named?.is === 'going' ? named.id : undefined;
}

/** A live value with the names that files have, for people and for pull. */
export function namesIn(field: Field, value: unknown, names: Names | undefined): unknown {
  return mapped(field, value, 'service', (id, { to, as }) => {
    const name = names?.nameOf(to, id) ?? id;
    // Files can have such a value as it is.
    return as !== undefined && (names === undefined || name.startsWith(idPrefix)) ? null : name;
  });
}

/** A live item with names in place of ids; what files can have as it is has the form that is in the key of the item. */
export function withNames(fields: Fields, item: object, names: Names, key = ''): object {
  const named = Object.entries(item).map(([name, value]) => {
    const field = fields[name] ?? {};
    const own = namesIn(field, value, names);
    return [name, field.ref?.as === undefined || key.endsWith(String(own)) ? own : value];
  });
  return Object.fromEntries(named);
}

/** Every text that files can have for a live value. */
export function textsFor({ ref }: Field, value: unknown, names: Names): readonly string[] {
  const id = ref === undefined || ref.by !== undefined ? null : namedIn(ref, value, 'service');
  if (ref === undefined || id === null) return [];
  if (ref.as === undefined) return names.namesOf(ref.to, id);
  const texts = names.itemOf(ref.to, id) === undefined ? [] : names.namesOf(ref.to, id);
  return [String(value), ...texts.map((text) => leadOf(ref, 'item') + text)];
}

/** A live value as files write it: a name, or `{ id: c1 }` where no name is unique. */
export function inFiles(field: Field, value: unknown, names: Names | undefined): unknown {
  const one = (name: unknown) =>
    typeof name === 'string' && name.startsWith(idPrefix) ? { id: name.slice(idPrefix.length) } : name;
  if (field.ref?.as !== undefined) return value;
  const named = namesIn(field, value, names);
  if (referenceOf(field)?.by !== undefined) return named;
  return Array.isArray(named) ? named.map(one) : one(named);
}

/** A written value with references as texts, also below it: `{ id: c1 }` is `id:c1`. */
export function withTexts(field: Field, value: unknown, around: unknown = {}): unknown {
  if (!hasField(field, ({ ref }) => ref !== undefined)) return value;
  if (Array.isArray(value)) return value.map((one) => withTexts(field.items ?? {}, one));
  if (!isRecord(value)) return value;
  const id = memberOf(value, 'id');
  if (field.ref !== undefined) return typeof id === 'string' ? `${idPrefix}${id}` : value;
  const members = membersOf(field, value, around) ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withTexts(members[name] ?? field.map ?? {}, one, value)]),
  );
}

/** A declared value as a request has it, with the names of the service; `resolve` says what stands for that of an item. */
export function onService(
  field: Field,
  value: unknown,
  resolve: (name: string, to: Reference) => string,
  around: unknown = {},
): unknown {
  if (referenceOf(field) !== undefined) return mapped(field, value, 'item', resolve);
  if (Array.isArray(value)) return value.map((one) => onService(field.items ?? {}, one, resolve));
  if (!isRecord(value)) return value;
  const members = field.map === undefined ? membersOf(field, value, around) : null;
  const entries = Object.entries(value).map(([name, one]) => {
    const member = members?.[name] ?? field.map ?? {};
    return [nameOnService(name, member, one), onService(member, one, resolve, value)];
  });
  return Object.fromEntries(entries);
}

export function nameOnService(name: string, { wire = name, clearAs = wire }: Field, value: unknown): string {
  return value === null ? clearAs : wire;
}

/** Collects the actions whose results a request refers to. */
export function openReferences(names: Names | undefined) {
  const needs: string[] = [];
  const resolve = (name: string, { to }: Reference): string => {
    const named = names?.find(to, name);
    if (named?.is !== 'new') return givenId(name) ?? idOf(named) ?? name;
    needs.push(named.action);
    return named.reference;
  };
  return { resolve, needs };
}
