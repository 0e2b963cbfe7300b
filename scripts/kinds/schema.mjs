// The published schema of a kind, in the form of those that are written by hand.
import { mapValues } from './facts.mjs';
import { ofElement } from './operations.mjs';
import {
  conditional,
  conditionsOf,
  formatOf,
  isOn,
  isRequired,
  nameOrId,
  objectSchema,
  schemaOf,
  wireName,
} from './values.mjs';
import { capital, listed, pick, titleOf } from './words.mjs';

export function publishedSchema(kind) {
  const { file, title, description, undeclared, at, noun } = kind;
  const $defs = {};
  const { title: _title, description: _description, ...own } = resourceDefinitions(kind, $defs, true);
  const about = { title: `Seeded ${noun.many}`, description: "Section of the embedded tenant's seed." };
  $defs.seed = { 'x-validator': true, ...about, ...seedOf(kind, $defs) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${file}.schema.json`,
    $comment: `Generated from src/kinds/${file}/kind.yaml by npm run generate.`,
    title: `${title} section`,
    description,
    'x-kind': true,
    'x-undeclared': undeclared,
    ...(at === 'list' ? { type: 'array', items: { $ref: '#/$defs/declared' } } : own),
    $defs,
  };
}

/** Adds the definitions of a resource, and returns what files have of it. */
function resourceDefinitions(resource, defs, isRoot = false) {
  const { prefix, operations, label, at, fields, resources, title = titleOf(resource.name), description } = resource;
  const below = Object.fromEntries(
    Object.entries(ownResources(resources)).flatMap(([name, one]) =>
      inFilesOf(name, one, resourceDefinitions(one, defs)),
    ),
  );
  if (at === 'group') return objectSchema(below);
  if (hasSecret(fields)) defs.secret_reference = secretReference;
  const properties = openProperties(resource, defs);
  const add = (name, words, schema) => {
    defs[prefix + name] = { 'x-validator': true, title: capital(words), ...schema };
  };
  const texts = { title, ...pick({ description }, ['description']) };
  const inFiles = {
    list: itemInFiles,
    set: setInFiles,
    single: isRoot ? itemInFiles : (_resource, own) => ({ ...texts, ...objectSchema(own) }),
  };
  const files = inFiles[at](resource, { ...properties('files'), ...below }, texts);
  if (isRoot && at === 'list') defs.declared = files;
  const body = (side) => objectSchema(properties(side), namesOf(fields, side, isRequired));
  if (operations.create) add('create_body', `create ${label} body`, body('create'));
  if (operations.update ?? operations.put) add('update_body', `update ${label} body`, body('update'));
  for (const verb of ['add', 'remove'].filter((one) => operations[one] && !ofElement(operations[one].path)))
    add(`${verb}_body`, `${verb} ${label} body`, elementsBody(resource, operations[verb], properties));
  for (const verb of Object.keys(operations).filter((one) => operations[one].response))
    add(`${verb}_response`, `${verb} ${label} response`, { type: 'object' });
  if (operations.list ?? operations.get) add('live', `live ${label}`, liveOf(resource, properties('response')));
  if (operations.get?.query)
    add('get_query', `${label} query`, objectSchema(mapValues(operations.get.query, () => ({ type: 'string' }))));
  if (operations.list) {
    add('page', `${label} page`, pageOf(resource));
    add('list_query', `${label} query`, objectSchema(queryOf(resource, properties('create', true))));
  }
  const isInPath = Object.values(operations).some(({ path }) => path.includes('{id}'));
  if (isRoot && isInPath) add('params', `${label} params`, objectSchema({ id: idInPath(resource.id) }, ['id']));
  if (Object.values(operations).some(({ path }) => ofElement(path)))
    add('params', `${label} params`, objectSchema({ id: idInPath(), element: idInPath() }, ['id', 'element']));
  return files;
}

/** A resource, and the list of those of its elements that must not be there. */
function inFilesOf(name, { absent, noun }, schema) {
  if (absent === undefined) return [[name, schema]];
  const description = `${capital(noun.many)} that must not be there.`;
  return [
    [name, schema],
    [absent, { ...schema, title: titleOf(absent), description }],
  ];
}

/** Those that are no field of their parent. */
function ownResources(resources) {
  return Object.fromEntries(Object.entries(resources).filter(([, one]) => !one.in));
}

const reserved = ['declared', 'create_body', 'update_body', 'live', 'page', 'list_query', 'params', 'seed'];
const prefixes = { files: '', create: 'sent_', update: 'updated_', response: 'live_' };

/**
 * The fields of a side. What all sides share is one definition; an object that differs on a side has its own.
 *
 *   files: { destination: { $ref: destination } }   response: { destination: { $ref: live_destination } }
 */
function openProperties({ fields, closed, prefix, key }, defs) {
  const viewOf = (side) => ({ side, open: side === 'response' && !closed });
  const names = new Map();
  const nameFor = (field, side) => {
    const { title: _title, ...bare } = schemaOf(field, viewOf(side));
    const form = `${field.name} ${JSON.stringify(bare)}`;
    const name = reserved.includes(field.name) ? `${field.name}_field` : field.name;
    if (!names.has(form)) names.set(form, `${prefix}${prefixes[side]}${name}`);
    return names.get(form);
  };
  const own = (side) => Object.values(fields).filter((field) => isOn(field, side));
  for (const field of own('files')) nameFor(field, 'files');
  const propertyOf = (field, side, isQuery) => {
    const name = nameFor(field, side);
    const inline = schemaOf(field, { ...viewOf(side), texts: side === 'files' });
    if (side !== 'files' && !(name in defs) && !('properties' in inline) && !('oneOf' in inline)) return inline;
    defs[name] ??= inline;
    const isKey = side === 'files' && !isQuery && key.includes(field.name);
    const marks = isKey && { 'x-identity': true, ...(field.none !== undefined && { default: field.none }) };
    return { $ref: `#/$defs/${name}`, ...marks };
  };
  return (side, isQuery = false) =>
    Object.fromEntries(own(side).map((field) => [wireName(field, side), propertyOf(field, side, isQuery)]));
}

/** The names of the fields that a side has, and of which this is true. */
function namesOf(fields, side, isWanted) {
  const own = Object.values(fields).filter((field) => isOn(field, side) && isWanted(field, side));
  return own.map((field) => wireName(field, side));
}

/** An item of a section. Where several can have one key, files can have the id of one, and elsewhere if `id` says so. */
function itemInFiles({ fields, key, operations, label, unique = true, id: own }, properties) {
  const flags = ['absent', 'unmanaged'].slice(operations.delete ? 0 : 1);
  if (key.length === 1 && fields[key[0]].on.update && operations.update) flags.unshift('renamed_from');
  const first = key.filter((name) => fields[name].none === undefined);
  const present = namesOf(fields, 'files', isRequired).filter((name) => !key.includes(name));
  const last = key.at(-1);
  const { as } = fields[last]?.ref ?? {};
  const names = key.map((name) => (as && name === last ? `${name} or ${as.field}` : name));
  const hasId = !unique || own?.key === true;
  const idText = `The id of the ${label}, ${unique ? 'in place of' : 'where others have'} its name. The name is then a field like others.`;
  const { examples = ['aBcD1234aBcD1234'], hint } = own ?? {};
  const id = {
    title: 'Id',
    description: idText,
    ...pick({ 'x-hint': hint }, ['x-hint']),
    examples,
    ...segment,
    maxLength: 255,
  };
  return {
    title: `Declared ${label}`,
    description: `A declared ${label}${key.length > 0 ? `, identified by ${listed(names)}${hasId ? ' or id' : ''}` : ''}.`,
    ...objectSchema(
      {
        ...(hasId && { id }),
        ...withOther(properties, last, as),
        ...Object.fromEntries(flags.map((name) => [name, { $ref: `item.schema.json#/$defs/${name}` }])),
      },
      hasId ? [] : first.filter((name) => !as || name !== last),
    ),
    ...(as && { oneOf: [{ required: [last] }, { required: [as.field] }] }),
    ...(hasId && { oneOf: [{ required: ['id'] }, { required: first, not: { required: ['id'] } }] }),
    ...(present.length > 0 && conditional({ $ref: 'item.schema.json#/$defs/present' }, { required: present })),
    ...conditionsOf(fields, { side: 'files', texts: true }),
  };
}

/** After a field, the one that files can have in its place. */
function withOther(properties, name, as) {
  if (as === undefined) return properties;
  const texts = { title: titleOf(as.field), ...pick(as, ['description', 'examples']) };
  const other = [as.field, { ...texts, ...nameOrId, 'x-identity': true }];
  return Object.fromEntries(Object.entries(properties).flatMap((one) => (one[0] === name ? [one, other] : [one])));
}

function setInFiles({ scalar, fields, key, short, ...rest }, properties, texts) {
  const element = scalar === undefined ? objectSchema(properties, key) : { $ref: properties[scalar].$ref };
  const { examples } = fields[scalar] ?? {};
  // Of elements in groups, their number is checked by code.
  const limits = short === undefined ? ['minItems', 'maxItems'] : [];
  const rules = pick({ ...rest, examples: examples && [examples] }, [...limits, 'examples']);
  const list = { ...texts, type: 'array', ...rules, items: element };
  return short === undefined ? list : { ...list, ...inShort({ short, key, fields }, properties) };
}

/** The elements by the value of one field, each with the other one: `{ https://orders.example/: [read:orders] }`. */
function inShort({ short, key, fields }, properties) {
  const [other] = key.filter((name) => name !== short);
  const titleIn = (name) => (fields[name].title ?? titleOf(name)).toLowerCase();
  const names = { title: capital(`${titleIn(other)}s`), description: `Of the ${fields[short].title} that is the key.` };
  const [[owner], values] = [fields[short].examples, fields[other].examples];
  return {
    type: ['object', 'array'],
    propertyNames: { type: 'string', minLength: 1 },
    additionalProperties: { ...names, type: 'array', items: { $ref: properties[other].$ref }, examples: [values] },
    examples: [{ [owner]: values }],
  };
}

const segment = { type: 'string', minLength: 1, ...formatOf('path-segment', true) };

/** An id that is a segment of a path can be used, whatever its form. */
function liveOf({ fields, key, id, label, closed, at }, properties) {
  const { format, maxLength } = id ?? {};
  const exact = { type: 'string', ...pick({ maxLength }, ['maxLength']), ...formatOf(format) };
  // Where files have an id in place of the key, the key is what a person knows the item by.
  const keys = (at === 'set' && id === null) || id?.key ? key.map((name) => wireName(fields[name], 'response')) : [];
  const required = [...(id ? [id.field] : []), ...namesOf(fields, 'response', isRequired), ...keys];
  // An element without a name is none.
  const named = (name, one) =>
    at === 'set' && keys.includes(name) && one.type === 'string' ? { ...one, minLength: 1 } : one;
  return {
    'x-read': true,
    description: `${capital(label)} as the service returns it; other fields are ${closed ? 'refused' : 'tolerated'}.`,
    ...objectSchema(
      {
        ...(id && { [id.field]: { 'x-id': true, ...(closed && format ? exact : segment) } }),
        ...mapValues(properties, (one, name) => named(name, one)),
      },
      [...new Set(required)],
      !closed,
    ),
  };
}

function idInPath({ format, maxLength = 255 } = {}) {
  return {
    type: 'string',
    ...(format === undefined && { minLength: 1 }),
    maxLength,
    ...formatOf(format ?? 'path-segment'),
  };
}

function pageOf({ prefix, operations: { list }, label, closed }) {
  const items = { type: 'array', items: { $ref: `#/$defs/${prefix}live` } };
  if (list.style === 'none') return items;
  const next = { type: 'string', ...pick({ maxLength: list.cursor }, ['maxLength']) };
  if (list.style === 'cursor') return objectSchema({ [list.items]: items, next }, [list.items], !closed);
  const count = { type: 'integer', minimum: 0 };
  const counts = { start: count, limit: count, total: count };
  const totals = objectSchema({ [list.items]: items, ...counts }, [list.items, ...Object.keys(counts)], true);
  return { anyOf: [{ title: `${capital(label)} page with totals`, ...totals }, items] };
}

const flag = { enum: ['true', 'false'] };

function queryOf({ operations: { list }, query }, properties) {
  const take = { type: 'integer', minimum: 1, maximum: list.take };
  const filters = list.filters.map((name) => [name, filterOf(properties[name], query[name], list.values)]);
  const from = { type: 'string', minLength: 1, ...pick({ maxLength: list.cursor }, ['maxLength']) };
  // By cursor, both are accepted and change nothing.
  const flags = ['include_totals', 'include_fields'].filter((name) => name in query).map((name) => [name, flag]);
  const selecting = Object.fromEntries([...filters, ...flags]);
  if (list.style === 'none') return selecting;
  return list.style === 'cursor'
    ? { ...selecting, take, from }
    : { ...selecting, page: { type: 'integer', minimum: 0 }, per_page: take };
}

/** A filter is a field of the items, or what the facts say of it. */
function filterOf(property, fact = 'string', maxItems = undefined) {
  const text = { type: 'string', minLength: 1 };
  if (fact === 'boolean') return flag;
  if (fact.includes('|')) return { type: 'string', enum: fact.split('|') };
  if (fact === 'union') return { type: 'array', ...pick({ maxItems }, ['maxItems']), items: property ?? text };
  return property ?? text;
}

/**
 * `$elements` is the list of elements, and `element` is added to each. The body of one operation that adds and removes can have
 * both. `$element` is one element, with all of its fields.
 */
function elementsBody({ fields, key, operations }, row, properties) {
  if (row.body === '$element') return objectSchema(properties('create'), namesOf(fields, 'create', isRequired));
  const { body = '$elements', element = {}, batch, method, path } = row;
  const same = [operations.add, operations.remove].filter((one) => one?.method === method && one.path === path);
  const own = properties(fields[key[0]]?.on.create ? 'create' : 'update');
  const keys = key.map((name) => wireName(fields[name], 'update'));
  const added = mapValues(element, (_value, name) => ({ enum: same.map((one) => one.element[name]) }));
  const item = objectSchema({ ...pick(own, keys), ...added }, [...keys, ...Object.keys(element)]);
  const list = { type: 'array', minItems: 1, ...pick({ maxItems: batch }, ['maxItems']), items: item };
  const shaped = (value) => (value === '$elements' ? list : objectSchema(mapValues(value, shaped), Object.keys(value)));
  return shaped(body);
}

function seedOf({ at, prefix, resources, id, label }, defs) {
  const below = mapValues(ownResources(resources), (one) => seedOf(one, defs));
  // Null is an object that the tenant does not have the feature for.
  if (at === 'group') return objectSchema(mapValues(below, (single) => ({ anyOf: [single, { type: 'null' }] })));
  const live = id?.seed ? withoutId(defs[`${prefix}live`], id.field, label) : { $ref: `#/$defs/${prefix}live` };
  const withBelow = { title: `Complete ${label}`, allOf: [live, objectSchema(below, [], true)] };
  const one = Object.keys(below).length === 0 ? live : withBelow;
  return at === 'single' ? one : { type: 'array', items: one };
}

/** The embedded tenant gives it one. */
function withoutId({ properties, required, additionalProperties: isOpen }, id, label) {
  const others = required.filter((name) => name !== id);
  return { title: `Seeded ${label}`, ...objectSchema(properties, others, isOpen !== false) };
}

function hasSecret(fields) {
  return Object.values(fields).some((field) => {
    const inside = [
      field.fields ?? {},
      ...(field.forms ?? []).map((form) => form.fields),
      field.of ? { of: field.of } : {},
    ];
    return (field.secret !== undefined && isOn(field, 'files')) || inside.some(hasSecret);
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
