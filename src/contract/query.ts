import type { Operation } from '../model/operation.ts';

/** A query as text, keys in the order given; undefined values are left out. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`).join('&')}`;
}

export type DecodedQuery =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly repeated: string };

/**
 * A query string as the value that the operation's schema validates. Only plain decimal integers become numbers;
 * anything else stays text and fails the schema. A repeated key is an error, because the specification does not define
 * it.
 */
export function decodeQuery(operation: Operation, search: URLSearchParams): DecodedQuery {
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const integers = operation.query?.integers ?? [];
  for (const [key, text] of search) {
    if (Object.hasOwn(value, key)) return { ok: false, repeated: key };
    value[key] = integers.includes(key) && /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
  }
  return { ok: true, value };
}
