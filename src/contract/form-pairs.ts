/** A key and its value, decoded. */
export type Pair = readonly [key: string, value: string];

/**
 * The pairs of a query or a form in their order, or null if an escape is malformed or not UTF-8: the parser of Node
 * accepts `%zz` as text, so a client would not notice its mistake.
 */
export function decodePairs(text: string): readonly Pair[] | null {
  try {
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map(decodePair);
  } catch {
    return null;
  }
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
