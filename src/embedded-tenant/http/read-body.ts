import { isUtf8 } from 'node:buffer';
import { decimalInteger, decodePairs } from '../../contract/query.ts';
import type { Encoding } from '../../model/operation.ts';
import { parsedJson } from '../../values/parsed-json.ts';

const largestBody = 1_048_576;

/** A body, or the status and the reason that refuse it. The body may contain a secret, so no reason repeats any of it. */
export type ReadBody =
  | { readonly value: unknown }
  | { readonly empty: true }
  | { readonly status: 400 | 413 | 415; readonly why: string };

/** `accepted`: none if no body is allowed. `integers`: see `decodeForm`. */
export async function readBody(
  request: Request,
  accepted: readonly Encoding[],
  integers: readonly string[] = [],
): Promise<ReadBody> {
  const { headers } = request;
  const noBody = { status: 400, why: 'No body is allowed' } as const;
  // The HTTP adapter hides the body of a GET, so the headers are checked first.
  if (accepted.length === 0 && announcesBody(headers)) return noBody;
  const bytes = await readBytes(request);
  if (bytes === null) return { status: 413, why: 'The body is larger than 1 MB' };
  if (bytes.length === 0) return { empty: true };
  if (accepted.length === 0) return noBody;
  if (!isUtf8(bytes)) return { status: 400, why: 'The body is not UTF-8' };
  const encoding = readContentType(headers.get('content-type'), accepted);
  if (typeof encoding !== 'string') return encoding;
  const decoded = decodeBody(new TextDecoder().decode(bytes), encoding, integers);
  return decoded ?? { status: 400, why: `The body is not well-formed ${encoding}` };
}

function announcesBody(headers: Headers): boolean {
  return Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
}

/** Null if the body exceeds the limit; the rest is not read. */
async function readBytes({ headers, body }: Request): Promise<Buffer | null> {
  if (Number(headers.get('content-length') ?? 0) > largestBody) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > largestBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The encoding that a Content-Type header names. JSON is UTF-8 (RFC 8259, 8.1), and so is a form. */
function readContentType(header: string | null, accepted: readonly Encoding[]): Encoding | ReadBody {
  const [mediaType, ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const encoding = accepted.find((each) => each === mediaType);
  if (encoding === undefined) return { status: 400, why: `Content-Type must be one of: ${accepted.join(', ')}` };
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  const isUtf = charsets.every((charset) => /=\s*("?)utf-?8\1$/.test(charset));
  return isUtf ? encoding : { status: 415, why: 'The charset of the body must be UTF-8' };
}

/** Null if the text is not well-formed. */
function decodeBody(text: string, encoding: Encoding, integers: readonly string[]): { readonly value: unknown } | null {
  if (encoding === 'application/x-www-form-urlencoded') return decodeForm(text, integers);
  const value = parsedJson(text);
  return value === undefined ? null : { value };
}

/** What is below a place of a form, by name. */
interface Below {
  [name: string]: Below | string;
}

const deepest = 6;
const key = /^([^[\]]*)((?:\[[^[\]]+\])*)$/;

/**
 * Nested values in a form: `a[0][b]=c` and `a[b]=c`. The form of a key is assumed, because the service specification
 * (4.3, 4.4) names only the media type. Whatever could be read in two ways is refused, or is no list:
 *
 * - `a[][b]=c`: with several pairs it is unknown which fields belong together
 * - `a=1&a=2`, `a=1&a[b]=2`: two values of one place
 * - `a[0]=1&a[2]=3`: a list with a gap is an object
 * - `a[b`, `a]b[c]`: brackets that do not match
 *
 * The time is linear in the length of the form, because the token endpoint decodes forms of unknown callers.
 *
 * Null if the form is not well-formed. `integers` are JSON pointers of places where text becomes a number.
 */
export function decodeForm(text: string, integers: readonly string[]): { readonly value: unknown } | null {
  const root = noneBelow();
  const pairs = decodePairs(text);
  if (pairs === null) return null;
  for (const [name, value] of pairs) {
    const path = pathOf(name);
    if (path === null || !put(root, path, value)) return null;
  }
  return { value: Object.fromEntries(decodedEntries(root, '', integers)) };
}

/** Without a prototype, so that no name has a meaning. */
function noneBelow(): Below {
  return Object.create(null) as Below;
}

function pathOf(name: string): readonly string[] | null {
  const [, first, rest = ''] = key.exec(name) ?? [];
  if (first === undefined) return null;
  const path = [first, ...rest.split(/[[\]]+/).filter((segment) => segment !== '')];
  return path.length > deepest ? null : path;
}

/** False if the place already has a value, or is inside one. */
function put(root: Below, path: readonly string[], value: string): boolean {
  let place = root;
  for (const segment of path.slice(0, -1)) {
    place[segment] ??= noneBelow();
    const child = place[segment];
    if (typeof child === 'string') return false;
    place = child;
  }
  const last = path.at(-1) ?? '';
  if (last in place) return false;
  place[last] = value;
  return true;
}

function decodedEntries(below: Below, pointer: string, integers: readonly string[]): [string, unknown][] {
  return Object.entries(below).map(([name, child]) => [name, decodedValue(child, `${pointer}/${name}`, integers)]);
}

function decodedValue(node: Below | string, pointer: string, integers: readonly string[]): unknown {
  if (typeof node === 'string') return integers.includes(pointer) ? decimalInteger(node) : node;
  const entries = decodedEntries(node, pointer, integers);
  // Indexes come first and in their order.
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
