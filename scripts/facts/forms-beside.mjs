// A union whose forms have everything in common but a tag and one object, such as `type` and `sink`, is an object with forms of that
// object beside the tag.
import { isDeepStrictEqual } from 'node:util';
import { mergeSides } from './sides.mjs';

/** `by` and `forms` are those of an entity, and `bySide` what is in common. Sides that are no such union are left as they are. */
export function withFormsBeside(bySide) {
  const sides = Object.values(bySide);
  const union = sides.find(({ type }) => type === 'union');
  const name = union && ownObject(union);
  const isAlike = (side) => side.type === 'object' || (side.by === union.by && ownObject(side) === name);
  if (name === undefined || !sides.every(isAlike)) return { bySide };
  const objectsOf = (form, value) => {
    const objects = mapValues(bySide, (side) => objectIn(side, name, value, form));
    return mergeSides(mapValues(objects, (object) => ({ type: 'object', fields: { [name]: object } }))).fields;
  };
  return {
    by: union.by,
    forms: mapValues(union.forms, objectsOf),
    bySide: mapValues(bySide, (side) => inCommon(side, union.by, name)),
  };
}

/** The one field, beside the tag, that is not the same in all forms. */
function ownObject({ by, forms = {} }) {
  const all = Object.values(forms).map(({ fields = {} }) => fields);
  const names = [...new Set(all.flatMap(Object.keys))].filter((name) => name !== by);
  const isCommon = (name) => all.every((fields) => isDeepStrictEqual(fields[name], all[0][name]));
  const [name, ...others] = names.filter((one) => !isCommon(one));
  const isObject = all.every((fields) => fields[by] && fields[name]?.type === 'object' && !fields[name].array);
  return others.length === 0 && isObject ? name : undefined;
}

function inCommon(side, by, name) {
  const all = side.type === 'union' ? Object.values(side.forms) : [side];
  const [{ open, fields }] = all;
  const { [by]: tag, [name]: object } = fields;
  const values = all.flatMap((form) => form.fields[by]?.enum ?? []);
  return {
    type: 'object',
    ...(open && { open }),
    fields: {
      ...fields,
      ...(tag && { [by]: { ...tag, enum: values } }),
      ...(object && { [name]: { type: 'object', fields: {}, ...flagsOf(object) } }),
    },
  };
}

/** A side without the tag has the forms of the object alone: the one whose fields a form has is that of the form. */
function objectIn(side, name, value, { fields }) {
  if (side.type === 'union') return side.forms[value]?.fields[name] ?? { type: 'object', fields: {} };
  const { type, forms = {}, ...own } = side.fields[name] ?? {};
  const known = fields[name].fields;
  const isWithin = (one) => Object.keys(one.fields ?? {}).every((key) => key in known);
  const same = type === 'object' ? own : Object.values(forms).find(isWithin);
  return { type: 'object', fields: same?.fields ?? {}, ...flagsOf(own) };
}

const flagsOf = ({ required, null: nullable }) => ({
  ...(required && { required }),
  ...(nullable && { null: nullable }),
});
const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
