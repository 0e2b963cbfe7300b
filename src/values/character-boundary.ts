/** The nearest index at or before this one that does not split a surrogate pair. */
export function characterBoundary(text: string, index: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1)) ? index - 1 : index;
}
