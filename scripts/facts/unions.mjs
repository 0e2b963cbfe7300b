// Unions of shapes, and what tells the forms of one apart.
import { isDeepStrictEqual } from 'node:util';

/** `(X | null) | undefined` nests through aliases, so unions are flattened first. */
export function unionOf(members) {
  const all = members.flatMap(flattened);
  const flags = {
    ...(all.some((part) => part.type === 'null' || part.null) && { null: true }),
    ...(all.some((part) => part.type === 'undefined' || part.absent) && { absent: true }),
  };
  const parts = all
    .filter(({ type }) => type !== 'null' && type !== 'undefined')
    .map(({ null: _, absent: __, ...part }) => part)
    .filter((part, index, list) => list.findIndex((other) => isDeepStrictEqual(other, part)) === index);
  const [first = { type: 'null' }] = parts;
  if (parts.length <= 1) return { ...first, ...flags };
  if (parts.every((part) => part.enum && !part.array && part.type === first.type))
    return { type: first.type, enum: [...new Set(parts.flatMap((part) => part.enum))], ...flags };
  const { by, labels } = distinctionOf(parts);
  return {
    type: 'union',
    by,
    forms: Object.fromEntries(labels.map((label, index) => [label, parts[index]])),
    ...flags,
  };
}

function flattened(shape) {
  if (shape.type !== 'union' || shape.array) return [shape];
  const { null: isNullable, absent, forms } = shape;
  return [
    ...Object.values(forms),
    ...(isNullable ? [{ type: 'null' }] : []),
    ...(absent ? [{ type: 'undefined' }] : []),
  ];
}

/**
 * Objects differ by the values of a field (`action`, `destination.type`), or by a key that only one form requires, or that only one
 * has; other values by their type. `none`: nothing in the value tells them apart.
 */
function distinctionOf(parts) {
  const areObjects = parts.every(({ type, array }) => type === 'object' && !array);
  const found = areObjects
    ? (byTag(parts) ?? byOwnKey(parts, 'key', (field) => field.required) ?? byOwnKey(parts, 'optional key', () => true))
    : byType(parts);
  return found ?? { by: 'none', labels: parts.map((_, index) => `${index + 1}`) };
}

function byTag(parts) {
  const tags = parts.map(({ fields }) => tagsOf(fields));
  const by = Object.keys(tags[0]).find(
    (name) => tags.every((one) => name in one) && areDistinct(tags.flatMap((one) => one[name])),
  );
  return by && { by, labels: tags.map((one) => one[by].join('|')) };
}

/** The enums among fields, also of the objects in them: { status: ['on', 'off'], 'destination.type': ['webhook'] } */
function tagsOf(fields, prefix = '') {
  const tags = Object.entries(fields).flatMap(([name, { array, enum: values, fields: below = {} }]) => {
    if (array) return [];
    return values ? [[prefix + name, values]] : Object.entries(tagsOf(below, `${prefix}${name}.`));
  });
  return Object.fromEntries(tags);
}

/** One form may have no key of its own: `-`. */
function byOwnKey(parts, by, isCandidate) {
  const isOwn = (key, part) => parts.every((other) => other === part || !(key in other.fields));
  const keys = parts.map((part) =>
    Object.keys(part.fields).find((key) => isCandidate(part.fields[key]) && isOwn(key, part)),
  );
  return keys.filter(Boolean).length >= parts.length - 1 ? { by, labels: keys.map((key) => key ?? '-') } : undefined;
}

function byType(parts) {
  const labels = parts.map(({ array, enum: values, type }) => `${array ? 'list of ' : ''}${values ? 'enum' : type}`);
  return areDistinct(labels) ? { by: 'value', labels } : undefined;
}

const areDistinct = (values) => new Set(values).size === values.length;
