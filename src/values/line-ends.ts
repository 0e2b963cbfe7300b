/** The text with LF at every line end: CRLF and CR become LF. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/** The text without its final line ends, and with LF at the others. */
export function comparableText(text: string): string {
  return withoutFinal(withLineFeeds(text), '\n');
}

/** The text without the last characters that are this one. Linear, unlike the regular expression. */
export function withoutFinal(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** The offset of the line end at or after this one. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The offset behind what a sticky pattern matches here; this one if it does not. */
export function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** False for a text that a file in UTF-8 does not have: its byte order mark is removed, and it has no half characters. */
export function isFileText(text: string): boolean {
  return !text.startsWith('\uFEFF') && !/\p{Surrogate}/u.test(text);
}
