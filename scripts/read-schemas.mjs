// The two schemas that a definition with x-read is read by (docs/internals/adr/0020-tolerant-reading.md). Both
// are without references.
//
//   exact       the definition, with what the x-read of a field adds, and no field that it does not name
//   tolerant    only what an item needs to be usable: required fields, their types, and ids that fit into a path

/** The definition with every object closed, also across the forms of a discriminated object. */
export function exactSchema(definition, document) {
  const { $ref, ...own } = resolved(definition, document);
  return close(own, document);
}

function close(schema, document) {
  const { properties, items, oneOf, anyOf, additionalProperties, 'x-read': read, ...rest } = resolved(schema, document);
  const each = (list) => list.map((one) => close(one, document));
  const named = properties ?? (rest.discriminator === undefined ? undefined : anyFieldOf(oneOf, document));
  const isMap = typeof additionalProperties === 'object';
  return {
    ...rest,
    ...(typeof read === 'object' && read),
    ...(named !== undefined && { properties: mapValues(named, (one) => close(one, document)) }),
    ...(named !== undefined && !isMap && { additionalProperties: false }),
    ...(isMap && { additionalProperties: close(additionalProperties, document) }),
    ...(items !== undefined && { items: close(items, document) }),
    ...(oneOf !== undefined && { oneOf: each(oneOf) }),
    ...(anyOf !== undefined && { anyOf: each(anyOf) }),
  };
}

/** The names of the fields of all forms; each form validates its own. */
function anyFieldOf(forms, document) {
  const names = forms.flatMap((form) => Object.keys(resolved(form, document).properties));
  return Object.fromEntries([...new Set(names)].map((name) => [name, {}]));
}

/** The definition without formats, lengths, ranges, enumerations and closed objects. */
export function tolerantSchema(definition, document) {
  const schema = resolved(definition, document);
  if (schema['x-id']) return { type: 'string', minLength: 1, format: 'path-segment' };
  if (schema.discriminator !== undefined) return tolerantForms(schema, document);
  if (isScalar(schema)) return tolerantScalar(schema);
  if (schema.type === 'array') return { type: 'array', items: tolerantSchema(schema.items, document) };
  if (schema.type === undefined) return {};
  if (Array.isArray(schema.type)) {
    const type = schema.type.find((one) => one !== 'null');
    return { anyOf: [{ type: 'null' }, tolerantSchema({ ...schema, type }, document)] };
  }
  if (schema.type !== 'object') throw new Error(`no tolerant form of ${JSON.stringify(schema)}`);
  const { properties = {}, required = [], additionalProperties } = schema;
  const isMap = typeof additionalProperties === 'object';
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [
        name,
        required.includes(name) ? tolerantSchema(one, document) : optional(one, document),
      ]),
    ),
    ...(isMap && { additionalProperties: tolerantSchema(additionalProperties, document) }),
  };
}

/** Any form, also one that is not known yet: the field that names the form is text. */
function tolerantForms({ discriminator: { propertyName }, oneOf }, document) {
  const forms = oneOf.map((form) => resolved(form, document).properties);
  const names = [...new Set(forms.flatMap(Object.keys))].filter((name) => name !== propertyName);
  const formsOf = (name) => forms.flatMap((form) => (form[name] === undefined ? [] : [optional(form[name], document)]));
  const properties = names.map((name) => {
    const different = [...new Map(formsOf(name).map((form) => [JSON.stringify(form), form])).values()];
    return [name, different.length === 1 ? different[0] : { anyOf: different }];
  });
  return {
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}

/** A field that may be absent may also be null, and text may be anything: then it is read as absent. */
function optional(schema, document) {
  const found = resolved(schema, document);
  if ((isScalar(found) || found.type === undefined) && !found['x-id'] && !found.discriminator) return {};
  return { anyOf: [{ type: 'null' }, tolerantSchema(found, document)] };
}

/** Text or a number by its type. A text that must not be empty names something, and cannot be used if it is. */
function tolerantScalar({ type = 'string', minLength }) {
  return { type: type === 'integer' ? 'number' : type, ...(type === 'string' && minLength === 1 && { minLength }) };
}

function isScalar({ type, enum: values, const: value }) {
  const types = [type].flat();
  return types.every((one) => one !== 'object' && one !== 'array') && (type ?? values ?? value) !== undefined;
}

function resolved(schema, document) {
  if (schema.$ref === undefined) return schema;
  if (!schema.$ref.startsWith('#/$defs/')) throw new Error(`${schema.$ref} is in another file`);
  const { $ref, ...own } = schema;
  return { ...resolved(document.$defs[$ref.slice('#/$defs/'.length)], document), ...own };
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
