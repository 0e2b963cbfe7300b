/**
 * One text per value: keys sorted by UTF-16 units, no white space, strings and numbers as JSON.stringify writes them, undefined
 * left out. Handed out in pieces, so that a digest over a large plan needs no second copy of it.
 */
export function writeCanonicalJson(value: unknown, write: (piece: string) => void): void {
  if (Array.isArray(value)) {
    write('[');
    for (const [index, item] of value.entries()) {
      if (index > 0) write(',');
      writeCanonicalJson(item, write);
    }
    write(']');
  } else if (typeof value === 'object' && value !== null) {
    write('{');
    const entries = Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [index, [key, child]] of entries.entries()) {
      write(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
      writeCanonicalJson(child, write);
    }
    write('}');
  } else write(JSON.stringify(value));
}

export function canonicalJson(value: unknown): string {
  let text = '';
  writeCanonicalJson(value, (piece) => {
    text += piece;
  });
  return text;
}
