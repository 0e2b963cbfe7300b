import type { Encoding } from '../../model/operation.ts';
import { decodeForm } from './decode-form.ts';

const largestBody = 1_048_576;

/** `none`: an empty body. The text may contain a secret, so no error repeats any of it. */
export type BodyText =
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
