/**
 * One text per value: keys sorted by UTF-16 units, no white space, strings and numbers as JSON.stringify writes them,
 * undefined left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return 'null';
  if (typeof value !== 'object') return Number.isSafeInteger(value) ? `${value}` : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const { key, prefix } of membersOf(Object.keys(value))) {
    const child = (value as Readonly<Record<string, unknown>>)[key];
    if (child !== undefined) text += (text === '' ? prefix : `,${prefix}`) + canonicalJson(child);
  }
  return `{${text}}`;
}

/** Most strings of a plan need no escapes, and then quoting them is twice as fast. */
function quoted(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

interface Member {
  readonly key: string;
  /** The key in quotes and the colon. */
  readonly prefix: string;
}

/** Keys in the order of an object, and its members in the order of their keys. */
interface Shape {
  readonly keys: readonly string[];
  readonly members: readonly Member[];
}

/** By the first key. Objects of one shape come again and again, but a tenant may invent some, so not all are kept. */
const shapes = new Map<string, Shape[]>();
const mostFirstKeys = 200;
const mostShapes = 8;

function membersOf(keys: readonly string[]): readonly Member[] {
  const [first] = keys;
  if (first === undefined) return [];
  const known = shapes.get(first);
  for (const shape of known ?? []) if (areEqual(shape.keys, keys)) return shape.members;
  const members = keys.toSorted().map((key) => ({ key, prefix: `${quoted(key)}:` }));
  if (known === undefined && shapes.size < mostFirstKeys) shapes.set(first, [{ keys, members }]);
  else if (known !== undefined && known.length < mostShapes) known.push({ keys, members });
  return members;
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}
