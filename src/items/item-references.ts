import type { Field, Fields, Reference } from '../model/field.ts';
import type { ItemReference, Names, References } from '../model/names.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { anyMembersOf, hasField, valuesIn } from './members.ts';
import { leadOf, namedIn, type Side } from './references.ts';

/** What the items of a kind name, by its references; undefined if they name nothing. */
export function referencesOf(description: KindDescription): References<object, object> | undefined {
  const { fields, key, resources } = description;
  const sets = Object.entries(resources);
  const ofSets = sets.flatMap(([, set]) => refsOf(set.fields));
  const all = [...refsOf(fields), ...ofSets];
  if (all.length === 0) return undefined;
  const kinds = (refs: readonly Reference[]) => [...new Set(refs.map(({ to }) => to))];
  const referring = Object.entries(fields).filter(([, field]) => hasField(field, ({ ref }) => ref !== undefined));
  const referringFields = Object.fromEntries(referring);
  const ownOf = (item: object, side: Side = 'item') =>
    valuesIn(referringFields, item).flatMap(({ field: { ref }, value, path }) =>
      ref === undefined ? [] : named(ref, value, path, side).map((reference) => ({ ref, reference })),
    );
  const isPlain = ({ as }: Reference) => as === undefined;
  const others = all.filter((ref) => !isPlain(ref));
  const always = kinds([
    ...referring.flatMap(([, { ref, items }]) => ref ?? items?.ref ?? []).filter(isPlain),
    ...ofSets,
  ]);
  const to = kinds(all);
  return {
    to,
    // What is below an object or an element is rarely declared.
    ...(always.length < to.length && {
      needed: (items, texts, pulls) => {
        const inItems = items.flatMap((item) => ownOf(item).map(({ ref }) => ref));
        const inTexts = others.filter((ref) => texts.some((text) => mayName(ref, text)));
        return [...new Set([...(pulls ? kinds(all.filter(isPlain)) : always), ...kinds([...inItems, ...inTexts])])];
      },
    }),
    inKeys: kinds(key.flatMap((name) => fields[name]?.ref ?? []).filter(({ by }) => by === undefined)),
    goneWith: kinds(all.filter(({ gone }) => gone !== undefined)),
    declared: (item) => [
      ...ownOf(item).map(({ reference }) => reference),
      ...sets.flatMap(([name, set]) => inSet(description, item, name, set)),
    ],
    live: (item, names) => [
      ...ownOf(item, 'service').flatMap(({ ref, reference }) => asInFiles(reference, ref, names)),
      // A set with a reading of its own is not in the item.
      ...sets.flatMap(([name, set]) => (set.in ? inSet(description, item, name, set) : [])),
    ],
    liveIn: (name, elements, names) =>
      Object.entries(resources[name]?.fields ?? {}).flatMap(([field, { ref }]) =>
        ref === undefined
          ? []
          : elements
              .flatMap((element, index) => named(ref, memberOf(element, field), [name, index], 'service'))
              .flatMap((reference) => asInFiles(reference, ref, names)),
      ),
  };
}

/** Whether a pattern or a key may mean items by what they name: `client:*`, `api/client:Web`. */
function mayName(ref: Reference, text: string): boolean {
  const at = text.indexOf(leadOf(ref, 'item'));
  return at === 0 || (at > 0 && '/*'.includes(text[at - 1] ?? '') && !text.slice(0, at).includes(':'));
}

/** Those of fields, and of what is below them. */
function refsOf(fields: Fields): Reference[] {
  const inField = (field: Field): Reference[] => [
    ...(field.ref ? [field.ref] : []),
    ...anyMembersOf(field).flatMap(inField),
  ];
  return Object.values(fields).flatMap(inField);
}

type Path = readonly (string | number)[];

function named(ref: Reference, value: unknown, path: Path, side: Side = 'item'): ItemReference[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => named(ref, one, [...path, index], side));
  const name = namedIn(ref, value, side);
  if (name === null) return [];
  const { to, by, gone, late, as } = ref;
  return [
    {
      ...{ to, name, pointer: jsonPointer(...path) },
      ...(as !== undefined && { lead: leadOf(ref, side) }),
      ...(by !== undefined && { by }),
      ...(gone !== undefined && { gone }),
      ...(late && { late }),
    },
  ];
}

/** A live item has ids, where the reference is by the id. Some values only look like one. */
function asInFiles(reference: ItemReference, { by, to, as }: Reference, names: Names): ItemReference[] {
  if (by !== undefined) return [reference];
  if (as !== undefined && names.itemOf(to, reference.name) === undefined) return [];
  return [{ ...reference, name: names.nameOf(to, reference.name) }];
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
