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
export function literalsOf(pattern: string): string[] {
  if (!pattern.includes('\\*')) return pattern.split('*');
  return pattern.split(wildcard).map((literal) => literal.replaceAll('\\*', '*'));
}

/**
 * Matches texts with a pattern in which `*` matches any text, including none, and `\*` is an asterisk. Everything else is
 * literal, also every other backslash.
 */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
  const [head = '', ...pieces] = literalsOf(pattern);
  const tail = pieces.pop();
  if (tail === undefined) return (text) => text === head;
  return (text) => {
    const end = text.length - tail.length;
    if (!text.startsWith(head) || end < head.length || !text.endsWith(tail)) return false;
    let at = head.length;
    for (const piece of pieces) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

export function matchesWildcard(pattern: string, text: string): boolean {
  return wildcardMatcher(pattern)(text);
}

/** Whether any of the patterns matches a text. Those without a wildcard take the same time, however many they are. */
export function matcherOfAny(patterns: readonly string[]): (text: string) => boolean {
  const exact = new Set(patterns.map(literalText));
  const others = patterns.filter((pattern) => literalText(pattern) === null).map(wildcardMatcher);
  return (text) => exact.has(text) || others.some((matches) => matches(text));
}
