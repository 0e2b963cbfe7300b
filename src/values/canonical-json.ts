/**
 * One text per value: keys sorted by UTF-16 units, no white space, strings and numbers as JSON.stringify writes them,
 * undefined left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const child = (value as Readonly<Record<string, unknown>>)[key];
    if (child !== undefined) text += `${text === '' ? '' : ','}${quotedKey(key)}:${canonicalJson(child)}`;
  }
  return `{${text}}`;
}

/** Most strings of a plan need no escapes, and then quoting them is twice as fast. */
function quoted(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Keys come again and again, but a tenant may invent some, so not all of them are kept. */
const quotedKeys = new Map<string, string>();
const mostKeys = 1_000;

function quotedKey(key: string): string {
  const known = quotedKeys.get(key);
  if (known !== undefined) return known;
  const text = quoted(key);
  if (quotedKeys.size < mostKeys) quotedKeys.set(key, text);
  return text;
}
