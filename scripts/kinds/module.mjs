// The description of a kind as a value: src/model/resource.ts, src/model/field.ts, src/model/operation.ts.
import { mapValues } from './facts.mjs';
import { rowCode } from './operations.mjs';
import { isOn, isRequired } from './values.mjs';
import { pick } from './words.mjs';

/** What is known of a kind without loading it. */
export function headModule(kind) {
  return [
    `// Generated from src/kinds/${kind.file}/kind.yaml by npm run generate.`,
    "import type { KindHead } from '../../model/kind.ts';",
    '',
    `export const head = ${code(headCode(kind))} satisfies KindHead;`,
    '',
  ].join('\n');
}

function headCode(kind) {
  const { name, title, undeclared, at, keyHint = at === 'group' ? 'NAME' : undefined } = kind;
  const all = [kind, ...Object.values(kind.resources)].map(({ fields }) => fieldsCode(fields));
  const refs = all.flatMap(refsIn);
  const kinds = (of) => [...new Set(of.map(({ to }) => to))];
  const goneWith = kinds(refs.filter(({ gone }) => gone !== undefined));
  return {
    ...{ name, title },
    ...pick({ ...kind, keyHint }, ['noun', 'label', 'keyHint']),
    undeclared: undeclared[0],
    ...(JSON.stringify(all).includes('"secret":') && { hasSecrets: true }),
    ...(refs.length > 0 && { needs: kinds(refs) }),
    ...(goneWith.length > 0 && { goneWith }),
  };
}

/** The references of fields, and of what is below them. */
function refsIn(fields) {
  return Object.values(fields).flatMap(({ ref = [], fields: members = {}, forms = { of: {} }, ...rest }) => [
    ...[ref].flat(),
    ...[members, ...Object.values(forms.of), pick(rest, ['items', 'map'])].flatMap(refsIn),
  ]);
}

export function descriptionModule(kind, schema) {
  const shapes = Object.keys(schema.$defs).filter((name) => schema.$defs[name]['x-validator']);
  const { get } = kind.operations;
  const getter = get && code(rowCode('get', kind, { shapes }));
  const { fields, operations, ...rest } = resourceCode(kind, shapes, getter && '$get$');
  const about = { '...': '$head$', ...pick(kind, ['destroys', 'own']), section: '$shapes.section$' };
  const needsFacts = JSON.stringify([getter, operations, rest]).includes('notOnTenant');
  return [
    `// Generated from src/kinds/${kind.file}/kind.yaml by npm run generate.`,
    ...(needsFacts ? ["import { notOnTenant } from '../../contract/operation-rows.ts';"] : []),
    "import type { Fields } from '../../model/field.ts';",
    "import type { KindDescription, ResourceOperations } from '../../model/resource.ts';",
    "import { head } from './head.generated.ts';",
    "import { shapes } from './shapes.generated.ts';",
    '',
    `export const fields: Fields = ${code(fields)};`,
    '',
    ...(getter ? [`const get = ${getter} satisfies ResourceOperations['get'];`, ''] : []),
    `export const operations = ${code(operations)} satisfies ResourceOperations;`,
    '',
    `export const description = ${code({ ...about, ...rest, fields: '$fields$', operations: '$operations$' })} satisfies KindDescription;`,
    '',
  ].join('\n');
}

/** `$name$` is code, and the member `...` spreads one. */
function code(value) {
  return JSON.stringify(value, null, 2)
    .replace(/"\.\.\.": "\$(.*?)\$"/g, '...$1')
    .replace(/"\$(.*?)\$"/g, '$1');
}

/** `getter` reads an item; `isItem`: the resource is its kind. */
function resourceCode(resource, shapes, getter, isItem = true) {
  const { at, key, id, fields, operations, resources } = resource;
  // A set that is a field is a resource, and a walk puts it among the fields.
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !resources[name]?.in));
  return {
    at,
    ...(resource.name !== resource.kind && { noun: resource.noun }),
    key,
    id: id?.field ?? 'id',
    fields: fieldsCode(own, key, resource.on && sidesCode(resource.on)),
    operations: mapValues(operations, (_row, verb) =>
      isItem && verb === 'get' && getter ? getter : rowCode(verb, resource, { shapes, getter }),
    ),
    resources: mapValues(resources, (one) => resourceCode(one, shapes, getter, false)),
    ...(id?.key && { byId: true }),
    ...pick(resource, ['creates']),
    ...pick(resource, ['unique', 'in', 'named', 'scalar', 'short', 'absent', 'maxItems', 'rest', 'refs', 'access']),
    ...pick(resource, ['skip', 'writable']),
  };
}

/** The fields in the form of src/model/field.ts. */
export function fieldsCode(fields, key = [], around = 'CUR') {
  const own = Object.values(fields).filter(({ ignored }) => !ignored);
  return Object.fromEntries(own.map((field) => [field.name, fieldCode(field, around, key.includes(field.name))]));
}

/** An update that has an object also has what the facts require in it. */
function membersCode(fields, sides) {
  const isNeeded = ({ on, ignored }) => !ignored && (on.update ?? '').startsWith('required');
  return fieldsCode(
    mapValues(fields, (field) => (isNeeded(field) ? { omitted: 'refused', ...field } : field)),
    [],
    sides,
  );
}

/** `around`: the sides of what has it. */
function fieldCode(field, around, isIdentity = false) {
  const { type, of, forms, by, values, open, on, nullable, login, shape } = field;
  const sides = sidesCode(on);
  const marks = pick(field, [
    'none',
    'clear',
    'clearAs',
    'twin',
    'filled',
    'omitted',
    'with',
    'without',
    'file',
    'address',
    'script',
    'summary',
    'element',
  ]);
  return {
    ...((isIdentity || isRequired(field, 'files')) && field.none === undefined && { required: true }),
    ...(isIdentity && { identity: true }),
    ...pick(field, ['wire']),
    ...(!isIdentity && sides !== around && { sides }),
    ...pick(field, ['secret']),
    ...marks,
    ...(field.ref && { ref: refCode(field.ref) }),
    ...(nullable && isOn(field, 'files') && { nullable: true }),
    ...(values && (open ? { suggestions: values } : { values })),
    ...(field.replace && { replace: true }),
    ...(login && { login: loginCode(login) }),
    ...(type === 'list' && listCode(shape, field.key, of, sides)),
    ...(type === 'map' && { map: fieldCode({ ...of, required: false }, sides) }),
    ...((type === 'json' || type === 'any') && { json: true }),
    ...(field.fields && { fields: membersCode(field.fields, sides) }),
    ...(forms && { forms: formsCode(forms, by) }),
  };
}

/** Texts are for people. */
function refCode({ as, ...ref }) {
  return { ...ref, ...(as && { as: pick(as, ['field', 'prefix']) }) };
}

function sidesCode(on) {
  return `${on.create ? 'C' : ''}${on.update ? 'U' : ''}${on.response ? 'R' : ''}`;
}

function listCode(shape = 'list', key, of, sides) {
  const list = key !== undefined ? 'key' : shape === 'set' ? 'set' : 'ordered';
  return { list, ...(key && { key }), items: fieldCode({ ...of, required: false }, sides) };
}

/** The values of a tag are the names of its forms. */
function formsCode(forms, by) {
  const tag = by.replace('../', '');
  const of = forms.flatMap(({ values, fields, on }) =>
    values.map((value) => {
      const inner = fieldsCode(fields, [], sidesCode(on));
      if (tag !== by || inner[tag] === undefined) return [value, inner];
      const { values: _values, ...named } = inner[tag];
      return [value, { ...inner, [tag]: named }];
    }),
  );
  return { by: tag, ...(tag !== by && { beside: true }), of: Object.fromEntries(of) };
}

/** A list is an order of values, from weak to strong. */
function loginCode({ weaker }) {
  return weaker === undefined ? {} : Array.isArray(weaker) ? { order: weaker } : { weaker };
}
