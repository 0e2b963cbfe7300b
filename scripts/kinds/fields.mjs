// The fields of a kind: what its description says, on what the facts say. Everything that a schema of descriptions cannot say
// is checked here.
//
//   { name, type, on, values?, fields? | of? | forms?, required?, nullable?, …marks, rules and texts of kind.yaml }
//
// `forms` is a list of { values, fields, on }. An ignored field has `ignored`: responses may have it.
import { besideForms, mapValues, onEach } from './facts.mjs';
import { formats } from './formats.mjs';
import { singular } from './words.mjs';

const letters = { C: 'create', U: 'update', R: 'response' };

/**
 * @param kind { key, resources, … } as in kind.yaml
 * @param entity its facts
 * @param facts the same in one form
 * @param report called with the place of each mistake, the rule, and what to write
 */
export function describedFields(kind, { entity, facts, report, at = [] }) {
  const { key = [], id = 'id', skip = [], fields = {}, ignore, resources = {}, operations = {} } = kind;
  const inside = Object.entries(resources).filter(([, one]) => one.in);
  const idField = typeof id === 'string' ? id : (id.field ?? 'id');
  const known = [
    ...skip.flatMap(({ when }) => Object.keys(when)),
    ...inside.map(([name]) => name),
    ...Object.values(operations).flatMap((one) => Object.keys(one?.element ?? {})),
  ];
  const around = Object.keys(facts.on);
  const context = { entity, report, key, around: fields };
  const { [idField]: _id, ...others } = facts.fields ?? {};
  const own = members({ fields, ignore }, others, { ...context, at, sides: around, known });
  for (const name of key)
    if (!(name in own)) report([...at, 'key'], `"${name}" is no field`, 'write the name of a field under fields');
  const sets = inside.map(([name, set]) => {
    const place = [...at, 'resources', name];
    const fact = facts.fields?.[name] ?? { type: 'list', on: onEach(around, 'optional') };
    const scalar = set.scalar && set.fields?.[set.scalar];
    const shape = set.scalar === undefined ? `key ${set.key?.[0]}` : 'set';
    const of = set.scalar === undefined ? { fields: set.fields, ignore: set.ignore } : scalar;
    const { title, description, minItems, maxItems, examples } = set;
    const given = { title, description, minItems, maxItems, examples, shape, of };
    return [
      name,
      described(withoutUndefined(given), fact, { ...context, at: place, ofAt: ['fields'], name, sides: around }),
    ];
  });
  return { ...own, ...Object.fromEntries(sets) };
}

function members({ fields = {}, ignore }, facts, context) {
  const { at, fieldsAt = [...at, 'fields'], report, known = [] } = context;
  const wireOf = (name) => fields[name]?.wire ?? name;
  const twins = Object.values(fields).flatMap((one) => one?.twin ?? []);
  const ignored = ignoredNames(ignore);
  const managed = Object.keys(fields).map(wireOf);
  for (const name of Object.keys(facts))
    if (![...managed, ...ignored, ...known, ...twins].includes(name))
      report(fieldsAt, `the facts have the field "${name}"`, 'add it under fields, or under ignore with a reason');
  for (const name of ignored) {
    if (!(name in facts)) report([...at, 'ignore'], `the facts have no field "${name}"`, 'remove it');
    if (name in fields) report([...at, 'ignore'], `"${name}" is also under fields`, 'remove one of the two');
  }
  const own = mapValues(fields, (given, name) => {
    const place = [...fieldsAt, name];
    const marks = typeof given === 'string' ? { sides: given } : (given ?? {});
    if (!(wireOf(name) in facts) && ((marks.type ?? marks.fields) === undefined || marks.source === undefined))
      report(place, `the facts have no field "${name}"`, 'correct the name, or add its type and a source');
    for (const [mark, names] of [
      ['with', Object.values(marks.with ?? {}).flat()],
      ['without', marks.without ?? []],
    ])
      for (const other of names)
        if (!(other in fields) && !known.includes(other))
          report([...place, mark], `"${other}" is no field beside "${name}"`, 'write the name of a field beside it');
    return described(marks, facts[wireOf(name)], {
      ...context,
      at: place,
      fieldsAt: undefined,
      name,
      isTag: name === context.tag,
      tag: undefined,
      beside: fields,
      known: [],
    });
  });
  // Responses have what is not managed, and what tells which items are left alone.
  const rest = [...ignored, ...twins, ...known].filter(
    (name) => name in facts && !managed.includes(name) && !(name in own),
  );
  return { ...own, ...Object.fromEntries(rest.map((name) => [name, unmanaged(name, facts[name])])) };
}

/** What is in an object is not looked at. */
function unmanaged(name, { type, on }) {
  return { name, on, type: ['string', 'number', 'boolean'].includes(type) ? type : 'json', ignored: true };
}

function ignoredNames(ignore = {}) {
  return Object.entries(ignore).flatMap(([name, names]) => (Array.isArray(names) ? names : [name]));
}

/** One field; `fact` is undefined if the facts do not have it. */
function described(marks, fact, context) {
  const { at, report, name, sides, ofAt = ['of'] } = context;
  const on = sidesOf(marks, fact, sides);
  const type = typeOf(marks, fact, context);
  const { fields, of, forms, enum: given, values: texts, ...rest } = marks;
  const facts = marks.type === undefined || type === 'integer' ? (fact ?? {}) : {};
  const values = given ?? (texts && facts.values === undefined ? Object.keys(texts) : facts.values);
  check(marks, fact, { ...context, type, values });
  const below = { ...context, sides: Object.keys(on), known: [] };
  const common = {
    ...rest,
    name,
    type,
    on,
    ...(values && type !== 'list' && { values, texts }),
    nullable:
      marks.clear !== undefined || Object.entries(on).some(([side, is]) => side !== 'response' && is.endsWith('null')),
  };
  if (type === 'object' && (forms || facts.forms))
    return { ...common, forms: formsOf(marks, fact, below), by: forms?.by };
  if (type === 'object')
    return { ...common, fields: members({ fields: fields ?? {}, ignore: marks.ignore }, facts.fields ?? {}, below) };
  if (type !== 'list' && type !== 'map') return common;
  // What is said of the fields of elements can be said of the list.
  const element = fields === undefined ? (of ?? {}) : { fields, ignore: marks.ignore };
  const place = [...at, ...(fields === undefined ? ofAt : [])];
  const key = /^key (\w+)$/.exec(marks.shape ?? '')?.[1];
  const inner = described(
    typeof element === 'string' ? {} : element,
    facts.of ?? { type: 'string', on: onEach(Object.keys(on), 'required') },
    {
      ...below,
      at: place,
      name: singular(name),
    },
  );
  if (key !== undefined && !(key in (inner.fields ?? {})))
    report([...at, 'shape'], `"${key}" is no field of the elements`, 'write key and the name of a field under of');
  if (key !== undefined && inner.fields?.[key])
    inner.fields[key].on = onEach(Object.keys(inner.fields[key].on), 'required');
  return { ...common, of: texts && inner.values ? { ...inner, texts } : inner, ...(key && { key }) };
}

function sidesOf({ sides }, fact, around) {
  const all = fact?.on ?? onEach(around, 'optional');
  if (sides === undefined) return all;
  return Object.fromEntries([...sides].map((letter) => [letters[letter], all[letters[letter]] ?? 'optional']));
}

function typeOf({ type, shape, fields, forms, of }, fact, { at, report }) {
  if (type !== undefined) return type;
  if (shape === 'map' || shape === 'json') return shape;
  if (fact === undefined) return 'json';
  const kept = fact.type === 'object' || fact.type === 'list' || fact.type === 'map';
  if ((fields || forms) && !kept) return 'object';
  if (['union', 'any', 'differs', 'again'].includes(fact.type)) {
    report(at, `the facts have no one type of it (${fact.type})`, 'write shape: json, or a type with its source');
    return 'json';
  }
  if (fact.type === 'object' && Object.keys(fact.fields ?? fact.forms ?? {}).length > 0 && !fields && !forms)
    report(at, 'the facts have fields of this object', 'add fields, or shape: json');
  if (of && !kept) report([...at, 'of'], 'it has no elements', 'remove of');
  return fact.type;
}

/** The fields of each form; those under `fields` are in every form. */
function formsOf({ forms = {}, fields = {} }, fact, context) {
  const { at, report, beside = {}, entity, name, sides, around } = context;
  const { by = '', ...named } = forms;
  const outside = by.startsWith('../');
  const tag = outside ? by.slice('../'.length) : by;
  const given = outside ? besideForms(entity, name, onEach(sides, 'optional')) : (fact?.forms ?? {});
  if (outside && !(tag in beside) && !(tag in around))
    report(
      [...at, 'forms', 'by'],
      `"${tag}" is no field beside "${name}"`,
      'write ../ and the name of a field beside it',
    );
  if (!outside && tag !== fact?.by)
    report([...at, 'forms'], `the facts have forms by "${fact?.by}"`, `write by: ${fact?.by}`);
  for (const missing of outside ? [] : Object.keys(given).filter((one) => !(one in named)))
    report([...at, 'forms'], `the facts have the form "${missing}"`, 'add it');
  return Object.entries(named).map(([form, own]) => {
    const place = [...at, 'forms', form];
    if (given[form] === undefined) {
      report(place, `the facts have no form "${form}"`, 'correct the name, or remove it');
      return { values: [form], on: {}, fields: {} };
    }
    const facts = given[form];
    const inner = members({ fields: { ...(!outside && { [tag]: null }), ...fields, ...own } }, facts.fields ?? {}, {
      ...context,
      at: place,
      fieldsAt: place,
      tag,
    });
    const values = form.split('|');
    const names = outside ? inner : { ...inner, [tag]: { ...inner[tag], name: tag, type: 'string', values } };
    return { values, on: facts.on ?? onEach(sides, 'optional'), fields: names };
  });
}

/** What is wrong with the marks of one field. */
function check(marks, fact, { at, report, type, values, isTag }) {
  const { format, enum: given, values: texts, source, ref } = marks;
  if (format !== undefined && !(format in formats))
    report([...at, 'format'], `"${format}" is no format`, `write one of ${Object.keys(formats).join(', ')}`);
  const isNarrowed = marks.type === 'integer' && fact?.type === 'number';
  if ((marks.type !== undefined && fact && marks.type !== fact.type && !isNarrowed) || given)
    if (source === undefined) report(at, 'it has another type or enum than the facts', 'add a source, which says why');
  // The values of a tag are those of all forms.
  const known = isTag ? undefined : (values ?? fact?.of?.values);
  for (const value of Object.keys(texts ?? {}))
    if (known && !known.map(String).includes(value))
      report([...at, 'values', value], `"${value}" is no value of it`, `write a sentence for ${known.join(', ')}`);
  for (const value of texts && !marks.open ? (known ?? []) : [])
    if (!(value in texts))
      report([...at, 'values'], `it has no sentence for "${value}"`, `add ${value}: and a sentence`);
  if (ref !== undefined && !['string', 'list'].includes(type)) report([...at, 'ref'], 'it is no text', 'remove ref');
}

function withoutUndefined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
