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
  const schema = { ...(view.texts && textsOf(field)), ...ruleOf(field, view) };
  if (!isNullable(field, view)) return schema;
  const { enum: values, enumDescriptions: texts, anyOf, type } = schema;
  return {
    ...schema,
    ...(type && { type: [type, 'null'].flat() }),
    ...(values && { enum: [...values, null], ...(texts && { enumDescriptions: [...texts, 'It is not set.'] }) }),
    ...(anyOf && { anyOf: [...anyOf, { type: 'null' }] }),
  };
}

function ruleOf(field, view) {
  const { type, secret, ref, of } = field;
  const rules = (names) => (view.open ? {} : pick(field, names));
  if (secret && view.side === 'files') return { $ref: '#/$defs/secret_reference' };
  if (ref && !ref.by && !ref.as && type === 'string' && view.side === 'files') return nameOrId;
  if (type === 'list')
    return { type: 'array', ...rules(['minItems', 'maxItems']), items: schemaOf(of, inList(field, view)) };
  if (type === 'map') {
    // null removes a key from a map that an update merges.
    const member = view.side === 'update' && !field.replace ? { ...of, clear: null } : of;
    return { type: 'object', ...rules(['maxProperties']), additionalProperties: schemaOf(member, view) };
  }
  if (type === 'json' || type === 'any') return {};
  if (field.file && view.side === 'files') return textOrFile(field, scalarOf(field, view));
  if (type !== 'object') return { ...scalarOf(field, view), ...(secret && !view.open && { minLength: 1 }) };
  return { ...(view.open && { title: `Live ${titleIn(field)}` }), ...objectOf(field, view) };
}

/** Several items can have one name; then files have the id. */
const idText = { title: 'Id', description: 'Its id, where several have the name.', examples: ['aBcD1234'] };
export const nameOrId = {
  ...objectSchema({ id: { ...idText, type: 'string', minLength: 1 } }, ['id']),
  type: ['string', 'object'],
  minLength: 1,
  pattern: '^(?!id:)',
  patternErrorMessage: 'Write { id: … } for an id.',
};

const fileText =
  'A file with the text. The path is relative to this YAML file, and must be inside the folder of the tenant.';

function textOrFile({ name, file }, text) {
  const examples = [`texts/${name.replaceAll('_', '-')}.${file}`];
  const path = { title: 'File', description: fileText, type: 'string', minLength: 1, examples };
  return { ...text, ...objectSchema({ file: path }, ['file']), type: ['string', 'object'] };
}

/** Elements that a field identifies always have it. Scalars have a text of their own only where something is said of them. */
function inList({ of, key }, view) {
  const hasTexts = of.type === 'object' || (of.description ?? of.examples ?? of.texts) !== undefined;
  return { ...view, texts: view.texts && hasTexts, needs: key };
}

function textsOf({ name, title = titleOf(name), description, examples, hint, secret }) {
  if (secret) return pick({ description }, ['description']);
  return { title, ...pick({ description, examples, 'x-hint': hint }, ['description', 'examples', 'x-hint']) };
}

/** The title of a field in the middle of a sentence. */
function titleIn({ name, title = titleOf(name) }) {
  return title.charAt(0).toLowerCase() + title.slice(1);
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

/** What is not managed may be null as well. */
function isNullable({ on, nullable, clear, none, ignored }, { side, open }) {
  if (side === 'files') return nullable;
  if (side === 'response') return nullable || (open && (none !== undefined || ignored));
  return clear !== undefined || (on[side] ?? '').endsWith('null');
}

function scalarOf(field, { side, texts, open }) {
  const { type, values, texts: sentences = {}, pattern, hint } = field;
  const isTime = side === 'response' && field.ignored && field.name.endsWith('_at');
  const format = field.format ?? (isTime ? 'date-time' : undefined);
  if (open) return { type, ...(format && { 'x-read': formatOf(format) }) };
  const own = { type, ...pick(field, ['minLength', 'maxLength', 'minimum', 'maximum']) };
  const isDescribed = texts && values?.every((value) => value in sentences);
  const known = {
    ...(values && { enum: values }),
    ...(isDescribed && { enumDescriptions: values.map((value) => sentences[value]) }),
  };
  const form = { ...(pattern && { pattern }), ...(format && formatOf(format, texts)) };
  const choice = (...anyOf) => ({ ...own, tsType: 'string', anyOf });
  const titled = (title) => (texts ? { title } : {});
  if (field.open) return choice({ ...titled('Known value'), ...known }, { ...titled('Another value'), ...form });
  if (pattern && format) return choice({ allOf: [{ pattern }, formatOf(format, texts)] });
  // Where nothing says what to write instead, an error shows the description.
  if (pattern && hint === undefined) return choice({ pattern });
  return { ...own, ...known, ...form };
}

export function formatOf(format, texts) {
  const { pattern, message } = formats[format] ?? {};
  if (pattern === undefined) return { format };
  return { pattern, 'x-format': format, ...(texts && message && { patternErrorMessage: message }) };
}

export function objectSchema(properties, required = [], isOpen = false) {
  return {
    type: 'object',
    ...(!isOpen && { additionalProperties: false }),
    ...(required.length > 0 && { required }),
    properties,
  };
}

function objectOf(field, view) {
  const { forms, by } = field;
  if (forms === undefined) return fieldsOf(field.fields, view);
  if (by.startsWith('../')) return { type: 'object' };
  // In a form, another one that is not known leaves the item usable.
  if (view.open) return fieldsOf(mergedForms(forms), { ...view, needs: view.inForm ? undefined : by, inForm: true });
  const possible = forms.filter(({ on }) => view.side === 'files' || on[view.side]);
  return {
    type: 'object',
    discriminator: { propertyName: by },
    ...(view.texts && { properties: { [by]: overviewOf(possible, by) } }),
    oneOf: possible.map((form) => formOf(form, field, view)),
  };
}

function fieldsOf(fields, view) {
  const { side, open, needs } = view;
  const own = Object.values(fields).filter((field) => isOn(field, side));
  const required = own.filter((field) => (open ? field.name === needs : isRequired(field, side)));
  const properties = own.map((field) => [wireName(field, side), schemaOf(field, { ...view, needs: undefined })]);
  const names = required.map((field) => wireName(field, side));
  return { ...objectSchema(Object.fromEntries(properties), names, open), ...conditionsOf(fields, view) };
}

function formOf({ values, fields }, { by, ...field }, view) {
  const [only, ...others] = values;
  const rule = others.length === 0 ? { const: only } : { enum: values };
  const { properties, ...rest } = fieldsOf(fields, view);
  if (!view.texts) return { ...rest, properties: { ...properties, [by]: rule } };
  const { description, texts = {} } = fields[by];
  const choice = { description, enumDescriptions: values.map((value) => texts[value]) };
  const said = others.length === 0 ? { description: texts[only] ?? description } : choice;
  const tag = { title: titleOf(by), ...pick(said, ['description', 'enumDescriptions']), ...rule };
  const title = capital(`${listed(values, 'or').replaceAll('_', ' ')} ${titleIn(field)}`);
  return { title, ...rest, properties: { ...properties, [by]: tag } };
}

/** The values of all forms, with what each needs, for editors. */
function overviewOf(forms, by) {
  const { description, texts = {} } = forms[0].fields[by];
  const values = forms.flatMap((form) => form.values);
  const needs = forms.flatMap((form) => form.values.map((value) => `${texts[value]}${needsText(form.fields, by)}`));
  const isDescribed = values.every((value) => value in texts);
  return {
    title: titleOf(by),
    ...pick({ description }, ['description']),
    enum: values,
    ...(isDescribed && { enumDescriptions: needs }),
  };
}

function needsText(fields, by) {
  const needs = namesIn(fields, (field) => field.name !== by && isRequired(field, 'files'));
  const secrets = namesIn(fields, ({ secret }) => secret !== undefined);
  const texts = [needs.length > 0 && `Needs ${listed(needs)}`, secrets.length > 0 && `${listed(secrets)} is a secret`];
  const text = texts.filter((one) => one !== false).join('; ');
  return text && ` ${text}.`;
}

/** The names of such fields; of an object that is required, those in it. */
function namesIn(fields, isWanted) {
  return Object.values(fields).flatMap((field) => {
    if (!isOn(field, 'files')) return [];
    if (field.fields && isRequired(field, 'files')) return namesIn(field.fields, isWanted);
    return isWanted(field) ? [field.name] : [];
  });
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
    const closed = { not: {}, 'x-hint': `delete it: the ${name} of this ${tag} are not managed` };
    const rules = forms.map((form) => when(form.values, fieldsOf(form.fields, view)));
    return others.length === 0 ? rules : [...rules, when(others, closed)];
  });
  const all = [...conditions, ...exclusionsOf(fields, view)];
  return all.length > 0 ? { allOf: all } : {};
}

/** What files cannot have beside a value, or beside any one (`*`). */
function exclusionsOf(fields, { side }) {
  if (side !== 'files') return [];
  return Object.values(fields).flatMap(({ name, type, nullable, excludes = {} }) =>
    Object.entries(excludes).map(([value, others]) => {
      const one = type === 'boolean' ? value === 'true' : value;
      const rule = value !== '*' ? { const: one } : nullable ? { not: { type: 'null' } } : null;
      const has = { type: 'object', required: [name], ...(rule && { properties: { [name]: rule } }) };
      const beside = value === '*' ? `beside ${name}` : `beside ${name}: ${value}`;
      const closed = { not: {}, 'x-hint': `delete it: it has no meaning ${beside}` };
      return conditional(has, { properties: Object.fromEntries(others.map((other) => [other, closed])) });
    }),
  );
}

/** An object with a literal `then` could be taken for a promise. */
export function conditional(condition, rule) {
  return Object.fromEntries([
    ['if', condition],
    ['then', rule],
  ]);
}

/** The fields of all forms: a field of several has what they have in common. */
function mergedForms(forms) {
  return forms.map(({ fields }) => fields).reduce(mergedFields);
}

function mergedFields(some, others) {
  return { ...some, ...mapValues(others, (other, name) => (name in some ? merged(some[name], other) : other)) };
}

function merged(one, other) {
  if (one.type !== other.type) return { ...one, type: 'json' };
  return one.fields && other.fields ? { ...one, fields: mergedFields(one.fields, other.fields) } : one;
}
