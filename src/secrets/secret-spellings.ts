/** The names of fields that have a secret, in one place. masker.ts knows the forms of the secrets themselves. */

import { markedFields } from './secret-fields.generated.ts';

/**
 * Names of fields whose value is a secret, in lower case and without separators: client_secret, client-secret,
 * clientSecret. Those that a schema marks, and what others call theirs.
 */
const fieldNames = [...new Set([...markedFields, 'password', 'token', 'secret', 'clientsecret'])];
const longestField = 32;

/** Names come again and again, but a tenant may invent some, so not all of them are kept. */
const knownFields = new Map<string, boolean>();
const mostKnown = 1_000;

/** True for a field whose value must never be shown, however its name is spelled. */
export function isSecretField(name: string): boolean {
  if (name.length > longestField) return false;
  const known = knownFields.get(name);
  if (known !== undefined) return known;
  const isSecret = fieldNames.includes(name.replaceAll(/[-_\s]/g, '').toLowerCase());
  if (knownFields.size < mostKnown) knownFields.set(name, isSecret);
  return isSecret;
}

/**
 * Source of a regular expression, for the flags `i` and `u`, that matches every such name on one line of a text, and
 * its quotes. It starts at the first character of the key, because the column of a key shows what belongs to it.
 */
export const secretFieldPattern = fieldPattern();

function fieldPattern(): string {
  // Separators may be anywhere in a name; bounded, so that a long run of them takes no time. A line break is none.
  const separators = `(?:[-_]|[^\\S\\r\\n]){0,${longestField}}`;
  const names = fieldNames.map((name) => [...name].join(separators));
  return `(?<![\\w-])(?:["']${separators}|[-_]{0,${longestField}})(?:${names.join('|')})${separators}["']?`;
}

/**
 * The value with `***` in every field that is named like a secret; the value itself if it has none. For what a tenant
 * returns: it should not repeat secrets, but it may.
 */
export function maskSecretFields<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  // Most values have no secret, and a plan shows a hundred thousand.
  const members = value as Readonly<Record<string, unknown>>;
  if (!hasSecret(members)) return value;
  const masked = Object.entries(members).map(([name, child]) => [name, maskedMember(name, child)] as const);
  return (Array.isArray(value) ? masked.map(([, child]) => child) : Object.fromEntries(masked)) as Value;
}

function hasSecret(members: Readonly<Record<string, unknown>>): boolean {
  for (const name in members) if (maskedMember(name, members[name]) !== members[name]) return true;
  return false;
}

function maskedMember(name: string, child: unknown): unknown {
  if (child === null || child === undefined) return child;
  const isSettings = typeof child === 'object' && !Array.isArray(child);
  return isSecretField(name) && !isSettings ? '***' : maskSecretFields(child);
}
