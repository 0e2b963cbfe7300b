import { isUtf8 } from 'node:buffer';

/** A body as a value, or the reason why it is none. Bytes that are not UTF-8 are a fault: replaced ones would change names. */
export function parseJson(
  bytes: Buffer,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  if (bytes.length === 0) return { ok: false, why: 'the body is empty' };
  if (!isUtf8(bytes)) return { ok: false, why: 'the body is not UTF-8' };
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return { ok: false, why: 'the body is not JSON' };
  }
}
