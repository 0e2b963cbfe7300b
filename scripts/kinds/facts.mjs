// The facts of a kind in one form for all sides: what create, update and response say of each field.
//
//   { type, on: { create?, update?, response? }, values?, fields? | of? | by?, forms? }
//
// `on` has `required` or `optional` for each side that has the field, with ` null` where it can be null. Types are those of the
// facts, and `list`. Forms have fields and sides of their own: a form that no update has cannot be sent in one.

/** `/connections/{id}/clients` is `/connections/{}/clients`. */
export function entityAt(facts, path) {
  return facts.entities[path.replace(/\{\w+\}/g, '{}')];
}

/** The fields of one entity, or of the elements of a set. It has the sides that its operations have. */
export function factsOf(entity, at) {
  const bodies = entity.operations.map(({ body }) => body).filter((body) => body !== undefined);
  const read = entity.operations.some(({ op, answer }) => op.startsWith('GET') && answer !== 'none');
  const sides = [...new Set(bodies), ...(read ? ['response'] : [])];
  const inForms = Object.assign({}, ...Object.values(entity.forms ?? {}));
  const body = entity.body ?? { type: 'object', fields: { ...inForms, ...entity.fields } };
  return factOf({ ...(at === 'set' ? elementOf(body) : body), on: onEach(sides, 'optional') });
}

/** Elements are added and removed as a list, perhaps in a field, and a listing has them one by one. */
function elementOf({ array: _array, ...body }) {
  if (body.type === 'differs') return { ...body, sides: mapValues(body.sides, elementOf) };
  const [list] = Object.entries(body.fields ?? {}).filter(([, { array, on }]) => array && on && !on.response);
  if (list === undefined) return body;
  const [name, { on, fields = {} }] = list;
  const { [name]: _list, ...others } = body.fields;
  const sent = mapValues(fields, (field, key) => ({ ...field, on: { ...on, ...others[key]?.on } }));
  return { ...body, fields: { ...others, ...sent } };
}

/** The fields of an object by the value of a field beside it, such as the options of each strategy. */
export function besideForms(entity, name, on) {
  const forms = Object.entries(entity.forms ?? {}).filter(([, form]) => form[name] !== undefined);
  return Object.fromEntries(forms.map(([form, { [name]: node }]) => [form, factOf({ ...node, on })]));
}

/** `around`: the sides of what has it. */
function factOf({ array = 0, is = 'optional', ...node }, around) {
  const on = node.on ?? onEach(around, is);
  const sides = Object.keys(on);
  if (array > 0) {
    const { on: _on, ...element } = node;
    return { type: 'list', on, of: factOf({ ...element, array: array - 1, is: 'required' }, sides) };
  }
  const { type, enum: values } = node;
  if (type === 'differs') return differing(node.sides, on);
  if (type === 'union' && node.by.includes('.')) return factOf({ ...formsBelow(node), on });
  if (type === 'union' && isTagged(node))
    return { type: 'object', on, by: node.by, forms: mapValues(node.forms, (form) => factOf(form, sides)) };
  return {
    type,
    on,
    ...(values && { values }),
    ...(node.fields && { fields: mapValues(node.fields, (field) => factOf(field, sides)) }),
    ...(node.of && { of: factOf(node.of, sides) }),
  };
}

function isTagged({ by, forms }) {
  return Object.values(forms).every(({ fields }) => fields?.[by] !== undefined);
}

/** A union by `destination.type` is an object whose `destination` is a union by `type`. */
function formsBelow({ by, forms }) {
  const [name, tag] = by.split('.');
  const all = Object.assign({}, ...Object.values(forms).map(({ fields }) => fields));
  const { fields: _fields, ...field } = all[name];
  const below = { ...field, type: 'union', by: tag, forms: mapValues(forms, ({ fields }) => fields[name]) };
  return { type: 'object', fields: { ...all, [name]: below } };
}

/** `{ 'create response': …, update: … }`: each has what is said of its sides. */
function differing(bySides, on) {
  const parts = Object.entries(bySides).map(([names, node]) => {
    const own = names.split(' ').filter((side) => on[side] !== undefined);
    return factOf({ ...node, on: Object.fromEntries(own.map((side) => [side, on[side]])) });
  });
  return parts.reduce(joined);
}

function joined(one, other) {
  const on = { ...one.on, ...other.on };
  if (one.type !== other.type || (one.forms && one.by !== other.by)) return { type: 'differs', on };
  return {
    ...other,
    ...one,
    on,
    ...(one.values && other.values && { values: [...new Set([...one.values, ...other.values])] }),
    ...(one.fields && { fields: joinedAll(one.fields, other.fields) }),
    ...(one.forms && { forms: joinedAll(one.forms, other.forms) }),
    ...(one.of && { of: joined(one.of, other.of) }),
  };
}

function joinedAll(some, others = {}) {
  const names = [...new Set([...Object.keys(some), ...Object.keys(others)])];
  const both = (name) =>
    name in some && name in others ? joined(some[name], others[name]) : (some[name] ?? others[name]);
  return Object.fromEntries(names.map((name) => [name, both(name)]));
}

export function onEach(sides, what) {
  return Object.fromEntries(sides.map((side) => [side, what]));
}

export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
