import type { Diagnostic } from '../model/diagnostic.ts';
import type { Field, Fields } from '../model/field.ts';
import type { DesiredItem } from '../model/kind.ts';
import type { Resource } from '../model/resource.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';

const none: Fields = {};

type Item = Readonly<Record<string, unknown>>;

/** The fields of an item, with the sets that are read and written with it; `all`: and with those that are not. */
export function withSets({ fields, resources }: Pick<Resource, 'fields' | 'resources'>, all = false): Fields {
  const sets = Object.entries(resources).flatMap(([name, { in: isField, scalar, fields: members, key }]) => {
    if (!isField && !all) return [];
    const [only = ''] = key;
    const items = scalar === undefined ? { fields: members } : (members[scalar] ?? {});
    const isKeyed = scalar === undefined && key.length === 1;
    return [[name, isKeyed ? { list: 'key' as const, key: only, items } : { list: 'set' as const, items }]];
  });
  return { ...fields, ...Object.fromEntries(sets) };
}

/** The sets of an item that items of other kinds name. */
export function namedSets({ resources }: Pick<Resource, 'resources'>): string[] {
  return Object.keys(resources).filter((name) => resources[name]?.named);
}

/** The known fields of an item, in the order of their schema. */
export function inOrder(fields: Fields, item: object): Item {
  const names = Object.keys(fields).filter((name) => Object.hasOwn(item, name));
  return Object.fromEntries(names.map((name) => [name, (item as Item)[name]]));
}

/** Whether create (C), update (U) or the response (R) has a field. */
export function isOn({ sides = 'CUR' }: Field, side: 'C' | 'U' | 'R'): boolean {
  return sides.includes(side);
}

/**
 * The fields of an object; null if nothing is known of its fields, as for JSON, or of its form. `around`: the object that has
 * the field, of which another field may name the form.
 */
export function membersOf({ forms, fields }: Field, value: unknown, around: unknown = {}): Fields | null {
  if (forms === undefined) return fields ?? null;
  const form = tagOf(forms.by, forms.beside ? around : value);
  return typeof form === 'string' && Object.hasOwn(forms.of, form) ? (forms.of[form] ?? null) : null;
}

/**
 * The objects of a declared item that have another form on the tenant, by a field beside them that no update can change: they
 * are neither compared nor sent. Each with that field.
 *
 *   declared { strategy: oidc, options: { … } }   live { strategy: okta, … }   ->   options: strategy
 */
export function otherForms(fields: Fields, declared: object, live: object): ReadonlyMap<string, string> {
  const found = Object.keys(declared).flatMap((name): [string, string][] => {
    const { beside, by = '' } = (Object.hasOwn(fields, name) ? fields[name]?.forms : undefined) ?? {};
    const isFixed = beside === true && Object.hasOwn(declared, by) && !isOn(fields[by] ?? {}, 'U');
    return isFixed && memberOf(declared, by) !== memberOf(live, by) ? [[name, by]] : [];
  });
  return new Map(found);
}

/** Which form an object has. */
export function tagOf(tag: string, value: unknown): unknown {
  return (value as Readonly<Record<string, unknown>>)[tag];
}

/** Every field that objects of this field can have, in any form. */
export function anyMembersOf({ fields = none, forms, items, map }: Field): readonly Field[] {
  return [fields, ...Object.values(forms?.of ?? {})].flatMap(Object.values<Field>).concat(items ?? [], map ?? []);
}

/** Whether this is true of a field, or of one in it. */
export function hasField(field: Field, isWanted: (field: Field) => boolean): boolean {
  return isWanted(field) || anyMembersOf(field).some((member) => hasField(member, isWanted));
}

/** The fields that identify elements of lists. */
export function listKeys(fields: Fields): string[] {
  return Object.values(fields).flatMap((field) => [
    ...(field.key === undefined ? [] : [field.key]),
    ...anyMembersOf(field).flatMap((member) => listKeys({ member })),
  ]);
}

/** Whether the elements of a list by key have nothing but their key, so that the list is a set of keys. */
export function isListOfKeys({ key, items }: Field): boolean {
  return key !== undefined && Object.keys(items?.fields ?? {}).length === 1;
}

/** A value of an item with its field, and the names and indexes that lead to it. */
export interface Placed {
  readonly field: Field;
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

/** Every value of an item whose field is known, also in objects and lists. */
export function valuesIn(fields: Fields, item: object, path: Placed['path'] = [], around = item): Placed[] {
  return Object.entries(item).flatMap(([name, value]) => {
    const field = fields[name];
    return field === undefined ? [] : valuesOf({ field, value, path: [...path, name] }, around);
  });
}

function valuesOf(placed: Placed, around: object): Placed[] {
  const { field, value, path } = placed;
  if (Array.isArray(value)) {
    const { items = {} } = field;
    const below = (one: unknown, index: number) =>
      valuesOf({ field: items, value: one, path: [...path, index] }, value);
    return [placed, ...value.flatMap(below)];
  }
  if (!isRecord(value)) return [placed];
  const { map } = field;
  const inMap = Object.entries(value).map(([key, one]) => ({ field: map ?? {}, value: one, path: [...path, key] }));
  const inside = map === undefined ? valuesIn(membersOf(field, value, around) ?? none, value, path) : inMap;
  return [placed, ...inside];
}

/** Where an item refers to files that have its texts. */
export function fileReferences(fields: Fields, item: object): string[] {
  return valuesIn(fields, item)
    .filter(({ field, value }) => field.file !== undefined && isRecord(value))
    .map(({ path }) => jsonPointer(...path));
}

/** An element that has nothing but its key may be repeated. */
export function checkLists(fields: Fields, item: DesiredItem<object>, report: (diagnostic: Diagnostic) => void): void {
  if (item.state !== 'present') return;
  for (const { field, path, value } of valuesIn(fields, item.value)) {
    const { key } = field;
    if (!Array.isArray(value) || key === undefined || isListOfKeys(field)) continue;
    const keys = value.map((one) => memberOf(one, key));
    for (const found of repeats(item, path.join('.'), keys, (index) => jsonPointer(...path, index, key))) report(found);
  }
}

/**
 * A rule that a schema cannot express: two elements of a list do not have one key. `pointerOf`: from the item to what names
 * an element.
 */
export function repeats(
  item: DesiredItem,
  list: string,
  keys: readonly unknown[],
  pointerOf: (index: number) => string,
): Diagnostic[] {
  return [...groupBy(keys.keys(), (index) => keys[index])].flatMap(([, [first = 0, ...others]]) =>
    others.map((index) => {
      const { file, line, column } = item.at(pointerOf(first));
      return {
        code: 'CONFIG_DUPLICATE_ELEMENT',
        severity: 'error',
        message: `This element is listed twice in ${list}, first at ${file}:${line}:${column}.`,
        hint: 'remove one of the two entries',
        source: item.at(pointerOf(index)),
      };
    }),
  );
}
