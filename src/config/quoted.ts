/** In characters: a diagnostic is read, and its place shows the rest. */
const longest = 60;

/** The start of a long text, with `…`. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** The start of a value in quotes, as messages show it. */
export function quoted(value: unknown): string {
  return `"${shortened(String(value))}"`;
}
