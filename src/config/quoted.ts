import { isHttpsUri } from '../contract/https-uri.ts';
import { withoutUserInfo } from '../values/short-url.ts';

/** In characters: a diagnostic is read, and its place shows the rest. */
const longest = 60;

/** The start of a long text, with `…`. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** The start of a value in quotes, as messages show it: without the user info of an address. */
export function quoted(value: unknown): string {
  const text = String(value);
  return `"${shortened(/^\s*https?:/i.test(text) && !isHttpsUri(text) ? withoutUserInfo(text) : text)}"`;
}
