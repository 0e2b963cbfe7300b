import { isUtf8 } from 'node:buffer';
import { jsonExcess } from '../../values/json-size.ts';
import { parsedJson } from '../../values/parsed-json.ts';

export type ParsedJson = { readonly ok: true; readonly value: unknown } | NotParsed;

interface NotParsed {
  readonly ok: false;
  readonly why: string;
  /** True for a body that is larger than what is read of one: the next one will be as well. */
  readonly isExcess?: true;
}

/**
 * What a response may contain at most. A page has at most 100 items, so this leaves a thousand values for each; and
 * nothing else that handles a response takes noticeable time.
 */
const most = { values: 100_000, levels: 64 };

/** A body as a value, or why it is none. Bytes that are not UTF-8 are an error: replacing them would change names. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (bytes.length === 0) return { ok: false, why: 'the body is empty' };
  if (!isUtf8(bytes)) return { ok: false, why: 'the body is not UTF-8' };
  const excess = jsonExcess(bytes, most);
  if (excess === 'levels')
    return { ok: false, why: `the body is nested deeper than ${most.levels} levels`, isExcess: true };
  if (excess === 'values') return { ok: false, why: `the body has more than ${most.values} values`, isExcess: true };
  const value = parsedJson(bytes.toString('utf8'));
  return value === undefined ? { ok: false, why: 'the body is not JSON' } : { ok: true, value };
}
