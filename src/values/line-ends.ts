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
