/** Texts above this length are counted once: thousands of values can be the text of one file. */
const longText = 10_000;
const mostKnown = 100;
const known = new Map<string, number>();

/** Length of a text as JSON Schema counts it: in Unicode code points. */
export function codePointLength(text: string): number {
  if (text.length < longText) return counted(text);
  const length = known.get(text) ?? counted(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, length);
  return length;
}

function counted(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}
