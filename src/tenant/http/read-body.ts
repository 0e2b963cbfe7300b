import { parse } from 'qs';
import type { Encoding } from '../../model/operation.ts';

export const largestBody = 1_048_576;

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

/** The encoding that a Content-Type header names, or null if it is not accepted. */
export function encodingOf(contentType: string | null, accepted: readonly Encoding[]): Encoding | null {
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  return accepted.find((encoding) => encoding === mediaType) ?? null;
}

/** The decoded value, or null if the text is not well-formed. */
export function decodeBody(text: string, encoding: Encoding): { readonly value: unknown } | null {
  try {
    return { value: encoding === 'application/json' ? JSON.parse(text) : decodeForm(text) };
  } catch {
    return null;
  }
}

/**
 * `a[0][b]=c` and `a[b]=c`. The form of nested values is assumed: service specification 4.3 and 4.4 name only the media
 * type.
 */
function decodeForm(text: string): unknown {
  return parse(text, {
    depth: 5,
    strictDepth: true,
    plainObjects: true,
    parameterLimit: 100_000,
    arrayLimit: 50_000,
    throwOnLimitExceeded: true,
  });
}
