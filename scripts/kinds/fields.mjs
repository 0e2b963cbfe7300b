// The fields of a kind: what its description says, on what the facts say, with what a schema of descriptions cannot check.
//
//   { name, type, on, nullable, values?, fields? | of? | forms? and by?, …marks, rules and texts of kind.yaml }
//
// `forms` is a list of { values, fields, on }. `texts` are the sentences for values. A field that is not managed is `ignored`.
import { besideForms, mapValues, onEach } from './facts.mjs';
import { formats } from './formats.mjs';
import { pick, singular } from './words.mjs';

const letters = { C: 'create', U: 'update', R: 'response' };
const texts = ['title', 'description', 'minItems', 'maxItems', 'examples'];

/** `facts` are those of the entity in one form; `report` is called with the place of a mistake, the rule, and what to write. */
export function describedFields(resource, { entity, facts, report, at }) {
  const { key = [], id = 'id', skip = [], resources = {}, operations = {} } = resource;
  const sides = Object.keys(facts.on);
  const context = { entity, report, at, sides };
  const sets = Object.entries(resources).filter(([, one]) => one.in);
  // What tells which items are left alone, sets that are fields, and what is added to each element.
  const known = [
    ...skip.flatMap(({ when }) => Object.keys(when)),
    ...sets.map(([name]) => name),
    ...Object.values(operations).flatMap((one) => Object.keys(one?.element ?? {})),
  ];
  const { [typeof id === 'string' ? id : (id.field ?? 'id')]: _id, ...others } = facts.fields ?? {};
  const own = members(resource, others, { ...context, known });
  for (const name of key)
    if (!(name in own)) report([...at, 'key'], `"${name}" is no field`, 'write the name of a field under fields');
  const fieldOf = ([name, set]) => {
    const { scalar, fields, ignore, returned } = set;
    const of = { fields, ignore, returned };
    const given = scalar ? { shape: 'set', of: fields?.[scalar] } : { shape: `key ${set.key}`, of };
    const fact = facts.fields?.[name] ?? { type: 'list', on: onEach(sides, 'optional') };
    const place = { at: [...at, 'resources', name], ofAt: ['fields'], name };
    return [name, described({ ...pick(set, texts), ...given }, fact, { ...context, ...place })];
  };
  return { ...own, ...Object.fromEntries(sets.map(fieldOf)) };
}

/** `known` need not be under fields, and can be named beside one. `tag`: the field that names the form. */
function members({ fields = {}, ignore = {}, returned = [] }, all, context) {
  // An object that no create has needs none of the fields that only a create has.
  const isHere = ({ on }) =>
    context.sides === undefined || Object.keys(on).some((side) => context.sides.includes(side));
  const facts = Object.fromEntries(Object.entries(all).filter(([, fact]) => isHere(fact)));
  const { at, fieldsAt = [...at, 'fields'], known = [], tag, report, ...rest } = context;
  const ignored = Object.entries(ignore).flatMap(([name, names]) => (Array.isArray(names) ? names : [name]));
  const managed = Object.entries(fields).map(([name, given]) => given?.wire ?? name);
  const twins = Object.values(fields).flatMap((given) => given?.twin ?? []);
  const others = [...ignored, ...known, ...twins];
  for (const name of Object.keys(facts))
    if (!managed.includes(name) && !others.includes(name))
      report(fieldsAt, `the facts have the field "${name}"`, 'add it under fields, or under ignore with a reason');
  for (const name of ignored) {
    if (!(name in facts)) report([...at, 'ignore'], `the facts have no field "${name}"`, 'remove it');
    if (name in fields) report([...at, 'ignore'], `"${name}" is also under fields`, 'remove one of the two');
  }
  for (const name of returned)
    if (name in facts)
      report([...at, 'returned'], `the facts have the field "${name}"`, 'write it under fields or ignore');
  const fieldOf = (given, name) => {
    const place = [...fieldsAt, name];
    const marks = typeof given === 'string' ? { sides: given } : (given ?? {});
    const fact = facts[marks.wire ?? name];
    if (!fact && !(marks.source && (marks.type ?? marks.fields)))
      report(place, `the facts have no field "${name}"`, 'correct the name, or add its type and a source');
    for (const mark of ['with', 'without', 'excludes'])
      for (const other of Object.values(marks[mark] ?? {}).flat())
        if (!(other in fields) && !known.includes(other))
          report([...place, mark], `"${other}" is no field beside "${name}"`, 'write the name of a field beside it');
    return described(marks, fact, { ...rest, report, at: place, name, isTag: name === tag, beside: fields });
  };
  const own = mapValues(fields, fieldOf);
  // Responses have what is not managed, and what is in it is not looked at.
  const unmanaged = others.filter((name) => name in facts && !managed.includes(name) && !(name in own));
  const isScalar = ({ type }) => ['string', 'number', 'boolean'].includes(type);
  const typeOf = (name) => (isScalar(facts[name]) ? facts[name].type : 'json');
  const left = unmanaged.map((name) => [name, { name, on: facts[name].on, type: typeOf(name), ignored: true }]);
  // Responses have both names of a value, whatever the facts say.
  const onOf = (name) => ({ ...facts[name]?.on, response: 'optional' });
  const second = [...twins, ...returned].map((name) => [name, { name, type: 'json', on: onOf(name), ignored: true }]);
  return { ...own, ...Object.fromEntries([...left, ...second]) };
}

/** One field; `fact` is undefined if the facts do not have it. */
function described(marks, fact, context) {
  const { sides, name, at, report, ofAt = ['of'], beside, isTag, ...rest } = context;
  const { fields, of = {}, forms, enum: only, values: sentences, ignore, returned, ...own } = marks;
  const on = sidesOf(marks, fact, sides);
  const type = typeOf(marks, fact, context);
  // Another type than that of the facts leaves nothing of them.
  const facts = marks.type === undefined || type === 'integer' ? (fact ?? {}) : {};
  const values = only ?? facts.values ?? (sentences && Object.keys(sentences));
  const isCleared = Object.entries(on).some(([side, is]) => side !== 'response' && is.endsWith('null'));
  const common = { ...own, name, type, on, nullable: marks.clear !== undefined || isCleared };
  const below = { ...rest, report, at, name, beside, sides: Object.keys(on) };
  check(marks, fact, { at, report, type, known: isTag ? undefined : (values ?? fact?.of?.values) });
  if (type === 'object' && (forms || facts.forms))
    return { ...common, by: forms?.by, forms: formsOf(marks, fact, below) };
  if (type === 'object') return { ...common, fields: members({ fields, ignore, returned }, facts.fields ?? {}, below) };
  if (type !== 'list' && type !== 'map') return { ...common, ...(values && { values, texts: sentences }) };
  // What is said of the fields of elements can be said of the list.
  const element = fields ? { fields, ignore, returned } : typeof of === 'string' ? { sides: of } : of;
  const elementFact = facts.of ?? { type: 'string', on: onEach(Object.keys(on), 'required') };
  const inner = described(element, elementFact, { ...below, name: singular(name), at: fields ? at : [...at, ...ofAt] });
  const key = /^key (\w+)$/.exec(marks.shape ?? '')?.[1];
  const named = inner.fields?.[key];
  if (key && !named)
    report([...at, 'shape'], `"${key}" is no field of the elements`, 'write key and the name of a field under of');
  if (named) named.on = onEach(Object.keys(named.on), 'required');
  return { ...common, of: sentences ? { ...inner, texts: sentences } : inner, ...(key && { key }) };
}

function sidesOf({ sides }, fact, around) {
  const known = Object.entries(fact?.on ?? {}).filter(([side]) => around.includes(side));
  const all = fact?.on === undefined ? onEach(around, 'optional') : Object.fromEntries(known);
  const own = [...(sides ?? '')].map((letter) => letters[letter]);
  return sides === undefined ? all : Object.fromEntries(own.map((side) => [side, all[side] ?? 'optional']));
}

function typeOf({ type, shape, fields, forms, of }, fact, { at, report }) {
  if (type !== undefined) return type;
  if (shape === 'map' || shape === 'json') return shape;
  const isContainer = ['object', 'list', 'map'].includes(fact?.type);
  if ((fields || forms) && !isContainer) return 'object';
  if (fact === undefined) return 'json';
  if (['union', 'any', 'differs', 'again'].includes(fact.type)) {
    report(at, `the facts have no one type of it (${fact.type})`, 'write shape: json, or a type with its source');
    return 'json';
  }
  if (fact.type === 'object' && Object.keys(fact.fields ?? fact.forms ?? {}).length > 0 && !fields && !forms)
    report(at, 'the facts have fields of this object', 'add fields, or shape: json');
  if (of && !isContainer) report([...at, 'of'], 'it has no elements', 'remove of');
  return fact.type;
}

/** The fields of each form; those under `fields` are in every form. */
function formsOf({ forms: { by = '', ...named } = {}, fields = {} }, fact, context) {
  const { at, report, beside = {}, entity, name, sides } = context;
  const place = [...at, 'forms'];
  const isBeside = by.startsWith('../');
  const tag = by.replace('../', '');
  const given = isBeside ? besideForms(entity, name, onEach(sides, 'optional')) : (fact?.forms ?? {});
  if (isBeside && !(tag in beside))
    report([...place, 'by'], `"${tag}" is no field beside "${name}"`, 'write ../ and the name of a field beside it');
  const hasTag = fact?.by !== undefined;
  if (!isBeside && tag !== fact?.by)
    report(
      place,
      hasTag ? `the facts have forms by "${fact.by}"` : 'the facts do not say which fields go together',
      hasTag ? `write by: ${fact.by}` : 'write by: ../ and the name of a field beside it, and a source for each field',
    );
  for (const missing of isBeside ? [] : Object.keys(given).filter((form) => !(form in named)))
    report(place, `the facts have the form "${missing}"`, 'add it');
  return Object.entries(named).map(([form, own]) => {
    // Where the facts do not say which fields go with which value, each field has a source.
    const facts = given[form] ?? (isBeside && Object.keys(given).length === 0 && { on: onEach(sides, 'optional') });
    if (!facts) report([...place, form], `the facts have no form "${form}"`, 'correct the name, or remove it');
    if (!facts) return { values: [form], on: {}, fields: {} };
    const values = form.split('|');
    const inside = { ...context, at: [...place, form], fieldsAt: [...place, form] };
    if (isBeside)
      return { values, on: facts.on, fields: members({ fields: { ...fields, ...own } }, facts.fields ?? {}, inside) };
    const all = members({ fields: { [tag]: null, ...fields, ...own } }, facts.fields, { ...inside, tag });
    return { values, on: facts.on, fields: { ...all, [tag]: { ...all[tag], type: 'string', values } } };
  });
}

/** What is wrong with the marks of one field. `known`: its values, if they are not those of a tag. */
function check(marks, fact, { at, report, type, known }) {
  const { format, enum: only, values, source, ref, open } = marks;
  if (format !== undefined && !(format in formats))
    report([...at, 'format'], `"${format}" is no format`, `write one of ${Object.keys(formats).join(', ')}`);
  const isNarrowed = marks.type === 'integer' && fact?.type === 'number';
  const isOther = marks.type !== undefined && fact && marks.type !== fact.type && !isNarrowed;
  if ((isOther || only) && source === undefined)
    report(at, 'it has another type or enum than the facts', 'add a source, which says why');
  for (const value of Object.keys(values ?? {}))
    if (known && !known.map(String).includes(value))
      report([...at, 'values', value], `"${value}" is no value of it`, `write a sentence for ${known.join(', ')}`);
  for (const value of values && !open ? (known ?? []) : [])
    if (!(value in values))
      report([...at, 'values'], `it has no sentence for "${value}"`, `add ${value}: and a sentence`);
  if (ref !== undefined && !['string', 'list'].includes(type)) report([...at, 'ref'], 'it is no text', 'remove ref');
}
