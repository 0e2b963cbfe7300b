import { isUtf8 } from 'node:buffer';

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/**
 * What a response may contain at most. A page has at most 100 items, so this leaves a thousand values for each; and
 * nothing else that handles a response takes noticeable time.
 */
const mostValues = 100_000;
const mostLevels = 64;

/**
 * A body as a value, or why it is none. Bytes that are not UTF-8 are an error: replacing them would change names.
 *
 * The JSON parser cannot be interrupted, and takes seconds for some megabytes of brackets. So values and levels are
 * counted first, by a scan that takes some milliseconds for any body.
 */
export function parseJson(bytes: Buffer): ParsedJson {
  if (bytes.length === 0) return { ok: false, why: 'the body is empty' };
  if (!isUtf8(bytes)) return { ok: false, why: 'the body is not UTF-8' };
  const why = excess(bytes);
  if (why !== null) return { ok: false, why };
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return { ok: false, why: 'the body is not JSON' };
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Why a text has more than a response may have, or null. Of a text that is not JSON, any result will do. */
function excess(bytes: Buffer): string | null {
  let values = 1;
  let levels = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === comma || byte === colon) values += 1;
    else if (byte === openList || byte === openObject) {
      values += 1;
      levels += 1;
      if (levels > mostLevels) return `the body is nested deeper than ${mostLevels} levels`;
    } else if (byte === closeList || byte === closeObject) levels -= 1;
    if (values > mostValues) return `the body has more than ${mostValues} values`;
  }
  return null;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
