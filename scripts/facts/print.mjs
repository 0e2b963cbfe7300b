// JSON with one field a line, so that the difference of two versions of the package can be read.

export const print = (facts) => `${printed(facts, '')}\n`;

function printed(value, indent) {
  if (isLine(value)) return inline(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((child) => printed(child, inner))
    : Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}: ${printed(child, inner)}`);
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  return `${start}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${end}`;
}

/** An operation, a field without fields of its own, or a thing without things in it. */
function isLine(value) {
  const isRow = typeof value.op === 'string' || (typeof value.type === 'string' && !hasFields(value));
  return !isObject(value) || isRow || Object.values(value).every((child) => !isObject(child) || isFlatList(child));
}

const hasFields = ({ fields, forms, sides, of }) =>
  Boolean(fields || forms || sides || (isObject(of) && hasFields(of)));
const isFlatList = (value) => Array.isArray(value) && !value.some(isObject);
const isObject = (value) => typeof value === 'object' && value !== null;

function inline(value) {
  if (!isObject(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const entries = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}: ${inline(child)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
