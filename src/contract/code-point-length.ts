/** Length of a text as JSON Schema counts it: in Unicode code points. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}
