// One tree of fields from several shapes of one thing: the responses of an entity, or what a create and an update take and what a
// response has.

/**
 * One shape from shapes by side; `mark` says what is true of a field, given its shapes and those of the object around it by side.
 * Shapes that are not of one type stay apart: `differs`, by groups of sides.
 */
export function mergeSides(bySide, mark = markSides) {
  const [group, ...others] = groupsOfType(bySide);
  if (others.length > 0) {
    const merged = [group, ...others].map((one) => [Object.keys(one).join(' '), mergeSides(one, mark)]);
    return { type: 'differs', sides: Object.fromEntries(merged) };
  }
  const shapes = Object.values(bySide);
  const [{ type, array, item_null, by, of }] = shapes;
  const common = { type, ...(array && { array }), ...(item_null && { item_null }) };
  const has = (key) => shapes.some((shape) => shape[key]) && { [key]: true };
  switch (type) {
    case 'object':
      return { ...common, ...has('open'), fields: mergeNames(pick(bySide, 'fields'), mark, mark) };
    case 'map': {
      const values = pick(bySide, 'of');
      return { ...common, of: { ...mergeSides(values, mark), ...(isNullable(values) && { null: true }) } };
    }
    case 'union':
      return { ...common, by, forms: mergeNames(pick(bySide, 'forms'), mark, markForms) };
    case 'again':
      return { ...common, of };
    case 'differs':
      throw new Error(`requests or responses of one side are of several types: ${JSON.stringify(shapes)}`);
    default:
      return { ...common, ...mergeEnums(pick(bySide, 'enum')) };
  }
}

/** Of the sides: `is` if a field is the same on all of them, `on` otherwise; neither, if it is optional on all. */
function markSides(fields, parents) {
  const presence = ({ required, null: nullable }) => `${required ? 'required' : 'optional'}${nullable ? ' null' : ''}`;
  const on = Object.fromEntries(Object.entries(fields).map(([side, field]) => [side, presence(field)]));
  const [first, ...others] = new Set(Object.values(on));
  if (others.length > 0 || !isEverywhere(fields, parents)) return { on };
  return first === 'optional' ? {} : { is: first };
}

/** Of several requests or responses on one side: it has what they have. `only`: which of them have a field, if not all do. */
export function markResponses(fields, parents) {
  const isRequired = isEverywhere(fields, parents) && Object.values(fields).every(({ required }) => required);
  return {
    ...(isRequired && { required: true }),
    ...(isNullable(fields) && { null: true }),
    ...(!isEverywhere(fields, parents) && { only: Object.keys(fields).map((label) => label.split(' ')[0]) }),
  };
}

/** A form that not all sides have: `on: "create update"`. */
const markForms = (forms, unions) => (isEverywhere(forms, unions) ? {} : { on: Object.keys(forms).join(' ') });

const isEverywhere = (named, parents) => Object.keys(named).length === Object.keys(parents).length;
const isNullable = (shapes) => Object.values(shapes).some((shape) => shape.null);

/** `free`: sides that take any value of the type. `lacks`: values that a side does not have. */
function mergeEnums(bySide) {
  const all = [...new Set(Object.values(bySide).flatMap((values = []) => values))];
  const free = Object.keys(bySide).filter((side) => bySide[side] === undefined);
  const lacks = Object.entries(bySide)
    .map(([side, values = all]) => [side, all.filter((value) => !values.includes(value))])
    .filter(([, missing]) => missing.length > 0);
  if (all.length === 0) return {};
  return { enum: all, ...(free.length > 0 && { free }), ...(lacks.length > 0 && { lacks: Object.fromEntries(lacks) }) };
}

function groupsOfType(bySide) {
  const groups = new Map();
  for (const [side, { type, array, by }] of Object.entries(bySide)) {
    const key = JSON.stringify([type, array, by]);
    groups.set(key, { ...groups.get(key), [side]: bySide[side] });
  }
  return [...groups.values()];
}

/** { create: { a, b }, update: { b } } → a from { create: a }, b from { create: b, update: b } */
function mergeNames(bySide, mark, markNamed) {
  const names = new Set(Object.values(bySide).flatMap(Object.keys));
  const merged = [...names].map((name) => {
    const sides = Object.entries(bySide).filter(([, named]) => Object.hasOwn(named, name));
    const shapes = pick(Object.fromEntries(sides), name);
    return [name, { ...mergeSides(shapes, mark), ...markNamed(shapes, bySide) }];
  });
  return Object.fromEntries(merged);
}

const pick = (bySide, key) => Object.fromEntries(Object.entries(bySide).map(([side, one]) => [side, one[key]]));
