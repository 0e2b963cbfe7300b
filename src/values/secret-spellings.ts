/** The names of fields that have a secret, in one place. masker.ts knows the forms of the secrets themselves. */

/**
 * Names of fields whose value is a secret, in lower case and without separators: client_secret, client-secret,
 * clientSecret.
 */
const fieldNames = ['password', 'token', 'headervalue', 'secret', 'clientsecret'];
const longestField = 32;

/** True for a field whose value must never be shown, however its name is spelled. */
export function isSecretField(name: string): boolean {
  return name.length <= longestField && fieldNames.includes(name.replaceAll(/[-_\s]/g, '').toLowerCase());
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
  const masked = Object.entries(value).map(([name, child]) => {
    const isShown = child === null || child === undefined || !isSecretField(name);
    return [name, isShown ? maskSecretFields(child) : '***'] as const;
  });
  if (masked.every(([name, child]) => child === Reflect.get(value, name))) return value;
  return (Array.isArray(value) ? masked.map(([, child]) => child) : Object.fromEntries(masked)) as Value;
}
