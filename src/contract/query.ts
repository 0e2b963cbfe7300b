import type { Operation } from '../model/operation.ts';
import { tried } from '../values/tried.ts';

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
 * integers become numbers. A repeated key is an error unless the operation takes a list, because the specification does
 * not define it; without one, `repeated` is null and an escape is malformed.
 */
export function decodeQuery(operation: Operation, text: string): DecodedQuery {
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const { integers = [], lists = [] } = operation.query ?? {};
  const pairs = decodePairs(text);
  if (pairs === null) return { ok: false, repeated: null };
  for (const [key, given] of pairs) {
    if (lists.includes(key)) value[key] = [...((value[key] as string[] | undefined) ?? []), given];
    else if (Object.hasOwn(value, key)) return { ok: false, repeated: key };
    else value[key] = integers.includes(key) ? decimalInteger(given) : given;
  }
  return { ok: true, value };
}

/** A key and its value, decoded. */
type Pair = readonly [key: string, value: string];

/**
 * The pairs of a query or a form in their order, or null if an escape is malformed or not UTF-8: the parser of Node
 * accepts `%zz` as text, so a client would not notice its mistake.
 */
export function decodePairs(text: string): readonly Pair[] | null {
  const pairs = text.split('&').filter((pair) => pair !== '');
  return tried(() => pairs.map(decodePair)) ?? null;
}

function decodePair(pair: string): Pair {
  const equals = pair.indexOf('=');
  return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** A plain decimal integer as a number; any other text stays as it is, and fails the schema. */
export function decimalInteger(text: string): number | string {
  return /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
