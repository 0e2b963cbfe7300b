/**
 * Nested values in a form: `a[0][b]=c` and `a[b]=c`. The form of a key is assumed, because the service specification
 * (4.3, 4.4) names only the media type. Whatever could be read in two ways is refused:
 *
 * - `a[][b]=c`: with several pairs it is unknown which fields belong together
 * - `a=1&a=2`, `a=1&a[b]=2`: two values of one place
 * - `a[0]=1&a[2]=3`: a list with a gap
 * - `a[b`, `a]b[c]`: brackets that do not match
 *
 * The time is linear in the length of the form, because the token endpoint decodes forms of unknown callers.
 */
import { decimalInteger, decodePairs } from '../../contract/form-pairs.ts';

type Fields = Map<string, Fields | string>;

const deepest = 6;
const key = /^([^[\]]*)((?:\[[^[\]]+\])*)$/;

/** Null if the form is not well-formed. `integers` are JSON pointers of places where text becomes a number. */
export function decodeForm(text: string, integers: readonly string[]): { readonly value: unknown } | null {
  const root: Fields = new Map();
  const pairs = decodePairs(text);
  if (pairs === null) return null;
  for (const [name, value] of pairs) {
    const path = pathOf(name);
    if (path === null || !put(root, path, value)) return null;
  }
  const value = decodedObject(root, '', integers);
  return value === null ? null : { value };
}

function pathOf(name: string): readonly string[] | null {
  const [, first, rest = ''] = key.exec(name) ?? [];
  if (first === undefined) return null;
  const path = [first, ...rest.split(/[[\]]+/).filter((segment) => segment !== '')];
  return path.length > deepest ? null : path;
}

/** False if the place already has a value, or is inside one. */
function put(root: Fields, path: readonly string[], value: string): boolean {
  let fields = root;
  for (const segment of path.slice(0, -1)) {
    const child = fields.get(segment) ?? new Map<string, Fields | string>();
    if (typeof child === 'string') return false;
    fields.set(segment, child);
    fields = child;
  }
  const last = path.at(-1) ?? '';
  if (fields.has(last)) return false;
  fields.set(last, value);
  return true;
}

/** Null if a list below has a gap. */
function decodedObject(fields: Fields, pointer: string, integers: readonly string[]): object | null {
  const entries: (readonly [string, unknown])[] = [];
  for (const [name, child] of fields) {
    const value = decodedValue(child, `${pointer}/${name}`, integers);
    if (value === null) return null;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** Null if a list has a gap; a form has no other null. */
function decodedValue(node: Fields | string, pointer: string, integers: readonly string[]): unknown {
  if (typeof node === 'string') return integers.includes(pointer) ? decimalInteger(node) : node;
  const isList = [...node.keys()].every((segment) => /^(?:0|[1-9]\d{0,8})$/.test(segment));
  return isList ? decodedList(node, pointer, integers) : decodedObject(node, pointer, integers);
}

function decodedList(fields: Fields, pointer: string, integers: readonly string[]): readonly unknown[] | null {
  const list: unknown[] = new Array(fields.size).fill(null);
  for (const [segment, child] of fields) {
    if (Number(segment) >= list.length) return null;
    list[Number(segment)] = decodedValue(child, `${pointer}/${segment}`, integers);
  }
  return list.includes(null) ? null : list;
}
