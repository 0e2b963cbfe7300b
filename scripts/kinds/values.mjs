// The schema of one field, as files write it, as bodies of create and update have it, and as responses have it.
//
// A response is read tolerantly: only types are in its schema, and formats in `x-read`, for the exact reading. Where a kind is
// `closed`, a response is as exact as a body.
import { mapValues } from './facts.mjs';
import { formats } from './formats.mjs';
import { capital, listed, pick, titleOf } from './words.mjs';

/**
 * @param view { side: 'files' | 'create' | 'update' | 'response', texts: whether people read it, open: whether it is read
 *   tolerantly }
 */
export function schemaOf(field, view) {
  const schema = kindOf(field, view);
  if (!isNullable(field, view)) return schema;
  const { enum: values, enumDescriptions: texts, anyOf, type } = schema;
  return {
    ...schema,
    ...(type && { type: [type, 'null'].flat() }),
    ...(values && { enum: [...values, null], ...(texts && { enumDescriptions: [...texts, 'It is not set.'] }) }),
    ...(anyOf && { anyOf: [...anyOf, { type: 'null' }] }),
  };
}

function kindOf(field, view) {
  const { type, secret } = field;
  const texts = view.texts ? textsOf(field) : {};
  if (secret && view.side === 'files')
    return { $ref: '#/$defs/secret_reference', ...(field.description && { description: field.description }) };
  // Several items can have one name; then files have the id.
  if (field.ref && field.ref.by === undefined && type === 'string' && view.side === 'files')
    return { ...texts, ...nameOrId };
  if (type === 'list')
    return {
      ...texts,
      type: 'array',
      ...(view.open ? {} : pick(field, ['minItems', 'maxItems'])),
      items: schemaOf(field.of, inList(field, view)),
    };
  if (type === 'map')
    return {
      ...texts,
      type: 'object',
      ...(view.open ? {} : pick(field, ['maxProperties'])),
      additionalProperties: schemaOf(field.of, view),
    };
  if (type === 'json' || type === 'any') return texts;
  if (type !== 'object') return { ...texts, ...scalarOf(field, view), ...(secret && !view.open && { minLength: 1 }) };
  const named = view.texts || view.open ? { title: (view.open ? 'Live ' : '') + nameOf(field, view) } : {};
  return { ...texts, ...named, ...objectOf(field, view) };
}

const nameOrId = {
  type: ['string', 'object'],
  minLength: 1,
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: {
      title: 'Id',
      description: 'Its id, where several have the name.',
      type: 'string',
      minLength: 1,
      examples: ['aBcD1234'],
    },
  },
};

/** Elements that a field identifies always have it. */
function inList({ of, key }, view) {
  return {
    ...view,
    texts:
      view.texts && (of.type === 'object' || of.description !== undefined || of.examples !== undefined || of.texts),
    needs: key,
  };
}

function nameOf(field, view) {
  const title = field.title ?? titleOf(field.name);
  return view.open ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

function textsOf({ name, title = titleOf(name), description, examples, hint }) {
  return { title, ...pick({ description, examples, 'x-hint': hint }, ['description', 'examples', 'x-hint']) };
}

/** The name of a field: files can have another one than the service. */
export function wireName({ name, wire = name }, side) {
  return side === 'files' ? name : wire;
}

/** Whether a side of the item has a field: files have what can be sent. */
export function isOn({ on, ignored }, side) {
  return side === 'files' ? !ignored && Boolean(on.create || on.update) : Boolean(on[side]);
}

export function isRequired({ on, required }, side) {
  if (side === 'files') return required ?? (on.create ?? on.update ?? '').startsWith('required');
  return (on[side] ?? '').startsWith('required');
}

function isNullable({ on, nullable, clear, none }, { side, open }) {
  if (side === 'files') return nullable === true;
  if (side === 'response') return nullable === true || (open && none !== undefined);
  return clear !== undefined || (on[side] ?? '').endsWith('null');
}

function scalarOf(field, { side, texts, open }) {
  const { type, values, texts: sentences = {}, format, pattern, hint, open: others } = field;
  const time = side === 'response' && field.ignored && field.name.endsWith('_at') && 'date-time';
  if (open) return { type, ...((format ?? time) && { 'x-read': formatOf(format ?? time) }) };
  const own = { type, ...pick(field, ['minLength', 'maxLength', 'minimum', 'maximum']) };
  const known = values && { enum: values };
  const described = texts &&
    values?.every((value) => value in sentences) && { enumDescriptions: values.map((value) => sentences[value]) };
  const form = { ...(pattern && { pattern }), ...((format ?? time) && formatOf(format ?? time, texts)) };
  const titled = (title) => (texts ? { title } : {});
  const choice = (...anyOf) => ({ ...own, tsType: 'string', anyOf });
  if (others)
    return choice({ ...titled('Known value'), ...known, ...described }, { ...titled('Another value'), ...form });
  if (pattern && format) return choice({ allOf: [{ pattern }, formatOf(format, texts)] });
  // Where nothing says what to write instead, an error shows the description.
  if (pattern && hint === undefined) return choice({ pattern });
  return { ...own, ...known, ...described, ...form };
}

export function formatOf(format, texts) {
  const { pattern, message } = formats[format] ?? {};
  if (pattern === undefined) return { format };
  return { pattern, 'x-format': format, ...(texts && message && { patternErrorMessage: message }) };
}

export function objectOf(field, view) {
  const { forms, by } = field;
  if (forms === undefined) return closedObject(field.fields, view);
  if (by.startsWith('../')) return { type: 'object' };
  // In a form, another one that is not known leaves the item usable.
  if (view.open)
    return closedObject(mergedFields(forms), { ...view, needs: view.inForm ? undefined : by, inForm: true });
  const branches = forms.filter(({ on }) => view.side === 'files' || on[view.side]);
  return {
    type: 'object',
    discriminator: { propertyName: by },
    ...(view.texts && { properties: { [by]: overviewOf(branches, by) } }),
    oneOf: branches.map((form) => formSchema(form, field, view)),
  };
}

function formSchema({ values, fields }, field, view) {
  const { by } = field;
  const { description, texts = {} } = fields[by];
  const only = values.length === 1 ? { const: values[0] } : { enum: values };
  const described =
    values.length === 1
      ? { description: texts[values[0]] ?? description }
      : { description, enumDescriptions: values.map((value) => texts[value]) };
  const { properties, ...rest } = closedObject(fields, view);
  const tag = view.texts
    ? { title: titleOf(by), ...pick(described, ['description', 'enumDescriptions']), ...only }
    : only;
  return {
    ...(view.texts && {
      title: `${capital(listed(values, 'or').replaceAll('_', ' '))} ${nameOf(field, view).toLowerCase()}`,
    }),
    ...rest,
    properties: { ...properties, [by]: tag },
  };
}

/** What the value of a field says of an object beside it: its fields, or that it cannot be declared. */
export function conditionsOf(fields, view) {
  const conditions = Object.values(fields).flatMap(({ name, by, forms }) => {
    if (!by?.startsWith('../') || view.side !== 'files') return [];
    const tag = by.slice('../'.length);
    const isOneOf = (values) => ({ type: 'object', required: [tag], properties: { [tag]: { enum: values } } });
    const when = (values, schema) => conditional(isOneOf(values), { properties: { [name]: schema } });
    const known = forms.flatMap(({ values }) => values);
    const others = fields[tag].values.filter((value) => !known.includes(value));
    return [
      ...forms.map((form) => when(form.values, closedObject(form.fields, view))),
      when(others, { not: {}, 'x-hint': `delete it: the ${name} of this ${tag} are not managed` }),
    ];
  });
  return conditions.length > 0 ? { allOf: conditions } : {};
}

/** An object with a literal `then` could be taken for a promise. */
export function conditional(condition, rule) {
  return Object.fromEntries([
    ['if', condition],
    ['then', rule],
  ]);
}

/** The values of all forms, with what each needs, for editors. */
function overviewOf(forms, by) {
  const { description, texts = {} } = forms[0]?.fields[by] ?? {};
  const all = forms.flatMap(({ values, fields }) =>
    values.map((value) => [value, `${texts[value]}${needsText(fields, by)}`]),
  );
  return {
    title: titleOf(by),
    ...(description && { description }),
    enum: all.map(([value]) => value),
    ...(all.every(([value]) => texts[value]) && { enumDescriptions: all.map(([, text]) => text) }),
  };
}

function needsText(fields, by) {
  const needs = leaves(fields, (field) => field.name !== by && isRequired(field, 'files'));
  const secrets = leaves(fields, ({ secret }) => secret !== undefined);
  const texts = [needs.length > 0 && `Needs ${listed(needs)}`, secrets.length > 0 && `${listed(secrets)} is a secret`];
  const text = texts.filter((one) => one !== false).join('; ');
  return text && ` ${text}.`;
}

/** Names of these fields; of an object, those in it. */
function leaves(fields, isWanted) {
  return Object.values(fields).flatMap((field) => {
    if (!isOn(field, 'files')) return [];
    return field.type === 'object' && isRequired(field, 'files') && field.fields
      ? leaves(field.fields, isWanted)
      : isWanted(field)
        ? [field.name]
        : [];
  });
}

function closedObject(fields, view) {
  const { side, open, needs } = view;
  const own = Object.values(fields).filter((field) => isOn(field, side));
  const below = { ...view, needs: undefined };
  const required = own
    .filter((field) => (open ? field.name === needs : isRequired(field, side)))
    .map((field) => wireName(field, side));
  const properties = own.map((field) => [wireName(field, side), schemaOf(field, below)]);
  return { ...objectSchema(Object.fromEntries(properties), required, open), ...conditionsOf(fields, view) };
}

export function objectSchema(properties, required = [], isOpen = false) {
  return {
    type: 'object',
    ...(!isOpen && { additionalProperties: false }),
    ...(required.length > 0 && { required }),
    properties,
  };
}

/** The fields of all forms: a field of several has what they have in common. */
function mergedFields(forms) {
  return forms.map(({ fields }) => fields).reduce((some, others) => mergedAll(some, others));
}

function mergedAll(some, others) {
  const both = mapValues(others, (other, name) => (name in some ? merged(some[name], other) : other));
  return { ...some, ...both };
}

function merged(one, other) {
  if (one.type !== other.type) return { ...one, type: 'json' };
  if (one.forms || other.forms) return one;
  const { values, ...rest } = one;
  return {
    ...rest,
    ...(values && other.values && { values: [...new Set([...values, ...other.values])] }),
    ...(one.fields && { fields: mergedAll(one.fields, other.fields) }),
  };
}
