import type { Fields, Reference } from '../model/field.ts';
import type { ItemReference, Names, References } from '../model/names.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';

/** What the items of a kind name, by its references; undefined if they name nothing. */
export function referencesOf(description: KindDescription): References<object, object> | undefined {
  const { fields, key } = description;
  const own = Object.entries(fields).flatMap(([name, { ref, items }]) =>
    (ref ?? items?.ref) ? [{ name, ref: (ref ?? items?.ref) as Reference }] : [],
  );
  const sets = Object.entries(description.resources);
  const all = [...own.map(({ ref }) => ref), ...sets.flatMap(([, set]) => refsOf(set.fields))];
  if (all.length === 0) return undefined;
  const kinds = (refs: readonly Reference[]) => [...new Set(refs.map(({ to }) => to))];
  return {
    to: kinds(all),
    inKeys: kinds(own.filter(({ name, ref }) => key.includes(name) && ref.by === undefined).map(({ ref }) => ref)),
    goneWith: kinds(all.filter(({ gone }) => gone !== undefined)),
    declared: (item) => [
      ...own.flatMap(({ name, ref }) => named(ref, memberOf(item, name), [name])),
      ...sets.flatMap(([name, set]) => inSet(description, item, name, set)),
    ],
    live: (item, names) => [
      ...own.flatMap(({ name, ref }) =>
        named(ref, memberOf(item, name), [name]).map((one) => asInFiles(one, ref, names)),
      ),
      // A set with a reading of its own is not in the item.
      ...sets.flatMap(([name, set]) => (set.in ? inSet(description, item, name, set) : [])),
    ],
  };
}

function refsOf(fields: Fields): Reference[] {
  return Object.values(fields).flatMap(({ ref }) => ref ?? []);
}

type Path = readonly (string | number)[];

function named(ref: Reference, value: unknown, path: Path): ItemReference[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => named(ref, one, [...path, index]));
  if (typeof value !== 'string') return [];
  const { to, by, gone, late } = ref;
  return [
    {
      ...{ to, name: value, pointer: jsonPointer(...path) },
      ...(by !== undefined && { by }),
      ...(gone !== undefined && { gone }),
      ...(late && { late }),
    },
  ];
}

/** A live item has ids, where the reference is by the id. */
function asInFiles(reference: ItemReference, { by, to }: Reference, names: Names): ItemReference {
  return by === undefined ? { ...reference, name: names.nameOf(to, reference.name) } : reference;
}

/** What the elements of a set name, and the nodes that they need. */
function inSet({ fields }: KindDescription, item: object, name: string, set: Resource): ItemReference[] {
  const elements = memberOf(item, name);
  if (!Array.isArray(elements)) return [];
  return elements.flatMap((element: unknown, index) => {
    const fieldOf = (field: string) => (field === set.scalar ? element : memberOf(element, field));
    const path = [name, index];
    return [
      ...Object.entries(set.fields).flatMap(([field, { ref }]) =>
        ref === undefined ? [] : named(ref, fieldOf(field), path),
      ),
      ...(set.refs ?? []).flatMap((template) => nodeOf(template, fields, item, fieldOf, path)),
    ];
  });
}

/** `resource_servers/{^audience}/scopes/{scope}`, with the values of the item and of its element. */
function nodeOf(
  template: string,
  fields: Fields,
  item: object,
  fieldOf: (field: string) => unknown,
  path: Path,
): ItemReference[] {
  const [to = '', owner = '', ...below] = template.split('/');
  const value = (step: string) => {
    const field = /^\{(\^?)(\w+)\}$/.exec(step);
    if (field === null) return step;
    const [, up, name = ''] = field;
    return String((up ? memberOf(item, name) : fieldOf(name)) ?? '');
  };
  const by = fields[owner.replaceAll(/[{^}]/g, '')]?.ref?.by;
  return [
    {
      ...{ to, name: value(owner), below: below.map(value).join('/'), pointer: jsonPointer(...path) },
      ...(by !== undefined && { by }),
    },
  ];
}
