/**
 * One `KIND[/KEY]` of --only, --except or --rotate; a key of null is the entire kind. Keys may hold slashes, kinds do
 * not.
 */
export interface Selector {
  readonly text: string;
  readonly kind: string;
  readonly key: string | null;
}

export function parseSelector(text: string): Selector {
  const slash = text.indexOf('/');
  if (slash < 0) return { text, kind: text, key: null };
  return { text, kind: text.slice(0, slash), key: text.slice(slash + 1) };
}

/** The selector of an item, or of an entire kind. */
export function selectorText({ kind, key }: Pick<Selector, 'kind' | 'key'>): string {
  return key === null ? kind : `${kind}/${key}`;
}

/** The selector of exactly this item, whatever characters its key has. */
export function itemSelector({ kind, key }: Pick<Selector, 'kind' | 'key'>): string {
  return selectorText({ kind, key: key === null ? null : literalPattern(key) });
}

/** The pattern that matches only this text. */
export function literalPattern(text: string): string {
  return text.replaceAll('*', '\\*');
}

/** The only text that a pattern matches; null if it has a wildcard. */
export function literalText(pattern: string): string | null {
  const [text, ...others] = literalsOf(pattern);
  return text === undefined || others.length > 0 ? null : text;
}

const wildcard = /(?<!\\)\*/;

/** The texts before, between and after the wildcards. */
function literalsOf(pattern: string): string[] {
  if (!pattern.includes('\\*')) return pattern.split('*');
  return pattern.split(wildcard).map((literal) => literal.replaceAll('\\*', '*'));
}

/**
 * Matches a pattern in which `*` matches any text, including none, and `\*` is an asterisk. Everything else is literal,
 * also every other backslash.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [head = '', ...rest] = literalsOf(pattern);
  if (rest.length === 0) return text === head;
  const tail = rest.pop() ?? '';
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
