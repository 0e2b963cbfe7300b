// The published schema of a kind, in the form of those that are written by hand.
import { mapValues } from './facts.mjs';
import { allOf, conditional, conditionsOf, formatOf, isOn, isRequired, pick, schemaOf, wireName } from './values.mjs';
import { capital, listed, titleOf } from './words.mjs';

const reserved = ['declared', 'create_body', 'update_body', 'live', 'page', 'list_query', 'params', 'seed'];
const prefixes = { create: 'sent', update: 'updated', response: 'live' };

export function publishedSchema(kind) {
  const { file, title, description, undeclared, at } = kind;
  const defs = {};
  const own = resourceDefinitions(kind, defs, { isRoot: true });
  const seed = {
    'x-validator': true,
    title: `Seeded ${kind.noun.many}`,
    description: "Section of the embedded tenant's seed.",
  };
  defs.seed = { ...seed, ...seedOf(kind) };
  const isList = at === 'list';
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${file}.schema.json`,
    $comment: `Generated from src/kinds/${file}/kind.yaml by npm run generate.`,
    title: `${title} section`,
    description,
    'x-kind': true,
    'x-undeclared': undeclared,
    ...(isList ? { type: 'array', items: { $ref: '#/$defs/declared' } } : own),
    $defs: defs,
  };
}

/** Adds the definitions of a resource, and returns what files have of it. */
function resourceDefinitions(resource, defs, { isRoot = false } = {}) {
  const { prefix, operations, label, at } = resource;
  const add = (name, schema) => {
    defs[prefix + name] = schema;
  };
  const nested = Object.entries(resource.resources).filter(([, { in: isField }]) => !isField);
  const below = () => mapValues(Object.fromEntries(nested), (one) => resourceDefinitions(one, defs));
  if (at === 'group') return objectWith({}, below());
  const properties = openProperties(resource, defs);
  if (hasSecret(resource.fields)) defs.secret_reference = secretReference;
  const files =
    at === 'set' ? setInFiles(resource, properties) : itemInFiles(resource, properties('files'), below(), isRoot);
  if (isRoot && at === 'list') add('declared', files);
  const body = (side, title) => ({
    'x-validator': true,
    title: capital(title),
    type: 'object',
    additionalProperties: false,
    ...requiredOf(resource.fields, side),
    properties: properties(side),
  });
  if (operations.create) add('create_body', body('create', `create ${label} body`));
  if (operations.update ?? operations.put) add('update_body', body('update', `update ${label} body`));
  for (const verb of ['add', 'remove'])
    if (operations[verb]) add(`${verb}_body`, elementsBody(resource, verb, properties));
  if (operations.list ?? operations.get) add('live', liveOf(resource, properties('response')));
  if (operations.list) {
    add('page', pageOf(resource));
    add('list_query', queryOf(resource, properties('create', true)));
  }
  if (isRoot && Object.values(operations).some(({ path }) => path.includes('{id}'))) add('params', paramsOf(resource));
  return files;
}

/**
 * The fields of a side. What all sides share is one definition; a side that differs has its own.
 *
 *   files: { destination: { $ref: destination } }   response: { destination: { $ref: live_destination } }
 */
function openProperties({ fields, closed, prefix, key }, defs) {
  const viewOf = (side) => ({ side, open: side === 'response' && !closed });
  const ids = new Map(Object.values(fields).map((field) => [field.name, new Map()]));
  const nameFor = (field, side) => {
    const { title: _title, ...bare } = schemaOf(field, viewOf(side));
    const form = JSON.stringify(bare);
    const known = ids.get(field.name);
    const name = reserved.includes(field.name) ? `${field.name}_field` : field.name;
    if (!known.has(form)) known.set(form, side === 'files' ? prefix + name : `${prefix}${prefixes[side]}_${name}`);
    return known.get(form);
  };
  for (const field of Object.values(fields)) if (isOn(field, 'files')) nameFor(field, 'files');
  return (side, isQuery = false) => {
    const own = Object.values(fields).filter((field) => isOn(field, side));
    return Object.fromEntries(
      own.map((field) => {
        const view = viewOf(side);
        const name = nameFor(field, side);
        const inline = schemaOf(field, { ...view, texts: side === 'files' });
        const isWorthy = side === 'files' || 'properties' in inline || 'oneOf' in inline;
        if (!isWorthy && !(name in defs)) return [wireName(field, side), inline];
        defs[name] ??= inline;
        const marks = { ...(side === 'files' && key?.includes(field.name) && identityMarks(field)) };
        return [wireName(field, side), { $ref: `#/$defs/${name}`, ...(isQuery ? {} : marks) }];
      }),
    );
  };
}

function identityMarks({ none }) {
  return { 'x-identity': true, ...(none !== undefined && { default: none }) };
}

function requiredOf(fields, side) {
  const required = Object.values(fields).filter((field) => isOn(field, side) && isRequired(field, side));
  return required.length > 0 ? { required: required.map((field) => wireName(field, side)) } : {};
}

/** An item of a section, a single, or an element of a set. */
function itemInFiles(resource, properties, below, isRoot) {
  const { fields, key, operations, label, at, title, description, unique = true } = resource;
  const flag = (name) => ({ [name]: { $ref: `item.schema.json#/$defs/${name}` } });
  if (at === 'single')
    return objectWith({ title: title ?? titleOf(resource.name), description }, { ...properties, ...below });
  const [only] = key;
  const isRenamed = isRoot && key.length === 1 && fields[only].on.update !== undefined && operations.update;
  const { required = [] } = requiredOf(fields, 'files');
  const first = key.filter((name) => fields[name].none === undefined);
  const present = required.filter((name) => !key.includes(name));
  return {
    title: `Declared ${label}`,
    description: `A declared ${label}, identified by ${listed(key)}.`,
    type: 'object',
    additionalProperties: false,
    ...(unique ? first.length > 0 && { required: first } : byIdOr(first)),
    properties: {
      ...(!unique && { id: ownId(label) }),
      ...properties,
      ...below,
      ...(isRenamed && flag('renamed_from')),
      ...(operations.delete && flag('absent')),
      ...flag('unmanaged'),
    },
    ...(present.length > 0 && conditional({ $ref: 'item.schema.json#/$defs/present' }, { required: present })),
    ...allOf(conditionsOf(fields, { side: 'files', texts: true })),
  };
}

/** Where several items can have one key, files can have the id of one. */
function byIdOr(names) {
  return { oneOf: [{ required: ['id'] }, { required: names, not: { required: ['id'] } }] };
}

function ownId(label) {
  const description = `The id of the ${label}, where others have its name. The name is then a field like others.`;
  return {
    title: 'Id',
    description,
    examples: ['aBcD1234aBcD1234'],
    type: 'string',
    minLength: 1,
    ...formatOf('path-segment', true),
  };
}

function setInFiles({ name, title = titleOf(name), description, scalar, fields, key, minItems, maxItems }, properties) {
  const own = properties('files');
  const element = { title: 'Element', type: 'object', additionalProperties: false, required: key, properties: own };
  const items = scalar === undefined ? element : { ...own[scalar] };
  if (scalar !== undefined) delete items['x-identity'];
  return {
    title,
    ...pick({ description, minItems, maxItems }, ['description', 'minItems', 'maxItems']),
    type: 'array',
    items,
    examples: examplesOf(fields[scalar]),
  };
}

function examplesOf(field) {
  return field?.examples === undefined ? undefined : [field.examples];
}

function objectWith(texts, properties) {
  return { ...pick(texts, ['title', 'description']), type: 'object', additionalProperties: false, properties };
}

function liveOf({ fields, key, id, label, closed, at, name }, properties) {
  const required = [
    ...(id === null ? [] : [id.field]),
    ...Object.values(fields)
      .filter((field) => isOn(field, 'response') && isRequired(field, 'response'))
      .map((field) => wireName(field, 'response')),
    ...(at === 'set' ? key.map((name) => wireName(fields[name], 'response')) : []),
  ];
  return {
    'x-validator': true,
    'x-read': true,
    title: `Live ${label}`,
    description: `${capital(label ?? name)} as the service returns it; other fields are ${closed ? 'refused' : 'tolerated'}.`,
    type: 'object',
    ...(closed && { additionalProperties: false }),
    required: [...new Set(required)],
    properties: { ...(id !== null && { [id.field]: idOf(id, closed) }), ...properties },
  };
}

/** An id that is a segment of a path can be used, whatever its form. */
function idOf({ format, maxLength }, isExact) {
  const read = { 'x-id': true, type: 'string' };
  return isExact && format
    ? { ...read, ...pick({ maxLength }, ['maxLength']), ...formatOf(format) }
    : { ...read, minLength: 1, ...formatOf('path-segment', true) };
}

function paramsOf({ id, label }) {
  const { format = 'path-segment', maxLength = 255 } = id;
  const own = { type: 'string', ...(format === 'path-segment' && { minLength: 1 }), maxLength, ...formatOf(format) };
  return {
    'x-validator': true,
    title: `${capital(label)} params`,
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: own },
  };
}

function pageOf({ prefix, operations: { list }, label, closed }) {
  const [style, key] = list.pages;
  const items = { type: 'array', items: { $ref: `#/$defs/${prefix}live` } };
  const title = { 'x-validator': true, title: `${capital(label)} page` };
  const cursor = { type: 'string', ...pick({ maxLength: list.cursor }, ['maxLength']) };
  if (style === 'cursor')
    return {
      ...title,
      type: 'object',
      ...(closed && { additionalProperties: false }),
      required: [key],
      properties: { [key]: items, next: cursor },
    };
  const count = { type: 'integer', minimum: 0 };
  const totals = {
    type: 'object',
    required: [key, 'start', 'limit', 'total'],
    properties: { [key]: items, start: count, limit: count, total: count },
  };
  return { ...title, anyOf: [{ title: `${capital(label)} page with totals`, ...totals }, items] };
}

const flag = { enum: ['true', 'false'] };

function queryOf({ operations: { list }, label, query }, properties) {
  const take = { type: 'integer', minimum: 1, maximum: list.take };
  const paging =
    list.pages[0] === 'cursor'
      ? { take, from: { type: 'string', minLength: 1, ...pick({ maxLength: list.cursor }, ['maxLength']) } }
      : { page: { type: 'integer', minimum: 0 }, per_page: take };
  const flags = ['include_totals', 'include_fields'].filter((name) => list.pages[0] === 'numbered' && name in query);
  return {
    'x-validator': true,
    title: `${capital(label)} query`,
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(list.filters.map((name) => [name, filterOf(properties[name], query[name])])),
      ...paging,
      ...Object.fromEntries(flags.map((name) => [name, flag])),
    },
  };
}

/** A filter is a field of the items, or what the facts say of it. */
function filterOf(property, fact = 'string') {
  if (fact === 'boolean') return flag;
  if (property !== undefined) return property;
  if (fact === 'union') return { type: 'array', items: { type: 'string', minLength: 1 } };
  return fact.includes('|') ? { type: 'string', enum: fact.split('|') } : { type: 'string', minLength: 1 };
}

/** `$elements` is the list of elements, and `element` is added to each. */
function elementsBody({ operations, label, fields, key }, verb, properties) {
  const { body, element = {}, batch } = operations[verb];
  const own = properties(fields[key[0]]?.on.create ? 'create' : 'update');
  const keys = key.map((name) => wireName(fields[name], 'update'));
  const added = mapValues(element, (value) => ({ const: value }));
  const item = {
    type: 'object',
    additionalProperties: false,
    required: [...keys, ...Object.keys(element)],
    properties: { ...pick(own, keys), ...added },
  };
  const list = {
    type: 'array',
    minItems: 1,
    ...pick({ maxItems: batch }, ['maxItems']),
    items: item,
  };
  const shaped = (value) => {
    if (value === '$elements') return list;
    const members = mapValues(value, shaped);
    return { type: 'object', additionalProperties: false, required: Object.keys(value), properties: members };
  };
  return { 'x-validator': true, title: capital(`${verb} ${label} body`), ...shaped(body) };
}

function seedOf(resource) {
  const { at, prefix, resources } = resource;
  const nested = Object.entries(resources).filter(([, { in: isField }]) => !isField);
  const below = Object.fromEntries(nested.map(([name, one]) => [name, seedOf(one)]));
  const live = { $ref: `#/$defs/${prefix}live` };
  // Null is an object that the tenant does not have the feature for.
  const orNull = mapValues(below, (single) => ({ anyOf: [single, { type: 'null' }] }));
  if (at === 'group') return { type: 'object', additionalProperties: false, properties: orNull };
  const one = nested.length === 0 ? live : { allOf: [live, { type: 'object', properties: below }] };
  return at === 'single' ? one : { type: 'array', items: one };
}

function hasSecret(fields) {
  return Object.values(fields).some((field) => {
    const below = [
      field.fields ?? {},
      ...(field.forms ?? []).map((form) => form.fields),
      ...(field.of ? [{ of: field.of }] : []),
    ];
    return (field.secret !== undefined && isOn(field, 'files')) || below.some(hasSecret);
  });
}

const secretReference = {
  title: 'Secret reference',
  description:
    'Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.',
  type: 'string',
  ...formatOf('secret-reference', true),
  'x-hint': 'write ${env:NAME} and nothing else',
  examples: ['${env:TENANT_VAR_CRM_PASSWORD}'],
};
