import { decimalInteger, decodePairs } from '../../contract/query.ts';
import type { Encoding } from '../../model/operation.ts';

const largestBody = 1_048_576;

/** `none`: an empty body. The text may contain a secret, so no error repeats any of it. */
type BodyText =
  | { readonly found: 'none' }
  | { readonly found: 'too_large' }
  | { readonly found: 'not_utf8' }
  | { readonly found: 'text'; readonly text: string };

export async function readBodyText(request: Request): Promise<BodyText> {
  if (Number(request.headers.get('content-length') ?? 0) > largestBody) return { found: 'too_large' };
  const bytes = await readBytes(request.body);
  if (bytes === null) return { found: 'too_large' };
  if (bytes.length === 0) return { found: 'none' };
  try {
    return { found: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { found: 'not_utf8' };
  }
}

/** Null if the body exceeds the limit; the rest is not read. */
async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > largestBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `charset`: the header declares another charset than UTF-8. */
export type ContentType = { readonly encoding: Encoding } | { readonly refused: 'media type' | 'charset' };

/** The encoding that a Content-Type header names. JSON is UTF-8 (RFC 8259, 8.1), and so is a form. */
export function readContentType(header: string | null, accepted: readonly Encoding[]): ContentType {
  const [mediaType, ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const encoding = accepted.find((each) => each === mediaType);
  if (encoding === undefined) return { refused: 'media type' };
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  return charsets.every((charset) => /=\s*("?)utf-?8\1$/.test(charset)) ? { encoding } : { refused: 'charset' };
}

/** The decoded value, or null if the text is not well-formed. `integers`: see `decodeForm`. */
export function decodeBody(
  text: string,
  encoding: Encoding,
  integers: readonly string[] = [],
): { readonly value: unknown } | null {
  if (encoding === 'application/x-www-form-urlencoded') return decodeForm(text, integers);
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

type Fields = Map<string, Fields | string>;

const deepest = 6;
const key = /^([^[\]]*)((?:\[[^[\]]+\])*)$/;

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
 *
 * Null if the form is not well-formed. `integers` are JSON pointers of places where text becomes a number.
 */
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
