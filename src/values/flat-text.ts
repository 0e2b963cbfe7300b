/**
 * Parts as one text. A template keeps its parts beside it until the text is read, which is half of the memory of a plan
 * with 100,000 ids.
 */
export function flatText(...parts: readonly string[]): string {
  return parts.join('');
}
