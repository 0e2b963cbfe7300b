import type { Operation } from '../model/operation.ts';
import { decimalInteger, decodePairs } from './form-pairs.ts';

/** A query as text, keys in the order given; undefined values are left out. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`).join('&')}`;
}

export type DecodedQuery =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly repeated: string | null };

/**
 * A query string, without its question mark, as the value that the operation's schema validates. Only plain decimal
 * integers become numbers. A repeated key is an error, because the specification does not define it; without one,
 * `repeated` is null and an escape is malformed.
 */
export function decodeQuery(operation: Operation, text: string): DecodedQuery {
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const integers = operation.query?.integers ?? [];
  const pairs = decodePairs(text);
  if (pairs === null) return { ok: false, repeated: null };
  for (const [key, given] of pairs) {
    if (Object.hasOwn(value, key)) return { ok: false, repeated: key };
    value[key] = integers.includes(key) ? decimalInteger(given) : given;
  }
  return { ok: true, value };
}
