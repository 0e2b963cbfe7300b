// A walk over a JSON Schema that knows which keywords hold schemas. A map of schemas is no schema: its keys are names of fields,
// and a field can be called `title`, `default`, `if` or `properties`.

const oneSchema = ['additionalProperties', 'items', 'propertyNames', 'if', 'then', 'else', 'not'];
const lists = ['allOf', 'anyOf', 'oneOf'];
const maps = ['properties', '$defs'];

/** A copy in which `change` was applied to every schema, the innermost first. */
export function mapSchemas(schema, change) {
  if (!isObject(schema)) return schema;
  const below = (child) => mapSchemas(child, change);
  const copy = Object.entries(schema).map(([keyword, value]) => {
    if (oneSchema.includes(keyword)) return [keyword, below(value)];
    if (lists.includes(keyword) && Array.isArray(value)) return [keyword, value.map(below)];
    if (maps.includes(keyword) && isObject(value)) return [keyword, mapValues(value, below)];
    return [keyword, value];
  });
  return change(Object.fromEntries(copy));
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
