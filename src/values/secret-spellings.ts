/**
 * The spellings of secrets, in one place: the names of fields that hold one, and the forms in which a text may repeat
 * one. A form that is missing here is missing everywhere, and a test with planted secrets finds it.
 */

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

/** As plain text, in a URL, in a form-encoded body, inside a JSON string, and in a header of basic authorization. */
export function secretForms(secret: string): string[] {
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** Replaces secrets in texts by `***`. */
export interface Redactor {
  hide(secret: string): void;
  redact(text: string): string;
}

/**
 * `shortest` is the length, in UTF-16 units, from which a secret is hidden: a shorter one would hide half of a report.
 */
export function openRedactor({ shortest }: { readonly shortest: number }): Redactor {
  let hidden: readonly string[] = [];
  return {
    hide(secret) {
      if (secret.length < shortest) return;
      // The longest first, so that no part of one secret survives the removal of another.
      hidden = [...new Set([...hidden, ...secretForms(secret)])].sort((one, other) => other.length - one.length);
    },
    redact: (text) => hidden.reduce((rest, form) => rest.replaceAll(form, '***'), text),
  };
}
