import { outputCharacter } from './liquid.ts';

/** Where an address leads. `inside`: nowhere outside of the page. */
export type UrlTarget =
  | { readonly type: 'inside' }
  | { readonly type: 'origin'; readonly origin: string }
  | { readonly type: 'script'; readonly scheme: string }
  /** Liquid makes the part that decides. */
  | { readonly type: 'dynamic' };

const single = new Set([
  ...['src', 'href', 'xlink:href', 'action', 'formaction', 'poster', 'data', 'background', 'manifest', 'codebase'],
  ...['archive', 'classid', 'lowsrc', 'dynsrc', 'profile'],
]);
const several = new Set(['srcset', 'imagesrcset', 'ping']);

/** The addresses in the value of an attribute; in each other one, what runs as a script. */
export function urlsInAttribute(name: string, value: string, isRefresh: boolean): string[] {
  if (name === 'style') return urlsInStyle(value);
  if (several.has(name)) return value.split(/[\s,]+/).flatMap(alternatives);
  if (single.has(name)) return alternatives(value);
  if (isRefresh) return alternatives(/url\s*=\s*["']?([^"']*)/i.exec(value)?.[1] ?? '');
  // Animations set other attributes.
  return alternatives(value).filter((url) => urlTarget(url).type === 'script' && scriptSchemes.has(schemeOf(url)));
}

/** A value with tags of Liquid may be all of its parts, or any of them. */
function alternatives(value: string): string[] {
  const parts = value.split(/[\ue001-\uf8ff]/).filter((part) => part.trim() !== '');
  return parts.length <= 1 ? parts : [...new Set([parts.join(''), ...parts])];
}

const schemeCharacters = /[a-z0-9+.-]/i;
const longestScheme = 30;

/** Addresses with a host in CSS, wherever it allows them: the two slashes, what is before, and what follows. */
export function urlsInStyle(css: string): string[] {
  const text = css.replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_all, digits: string) => decoded(digits));
  const found: string[] = [];
  for (let at = text.indexOf('//'); at !== -1; ) {
    let start = at;
    if (text[start - 1] === ':') {
      start -= 1;
      while (start > 0 && at - start < longestScheme && schemeCharacters.test(text[start - 1] ?? '')) start -= 1;
    }
    let end = at + 2;
    while (end < text.length && !/[\s'")<>;]/.test(text[end] ?? '')) end += 1;
    found.push(text.slice(start, end));
    at = text.indexOf('//', end);
  }
  return found;
}

function decoded(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

const base = new URL('https://page.invalid/');
const scriptSchemes = new Set(['javascript:', 'vbscript:']);
const harmless = new Set(['mailto:', 'tel:', 'sms:', 'blob:', 'about:']);
/** Data that browsers show as a document or run. */
const activeData = /^data:\s*(?:text\/(?:html|javascript|css|xml)|application\/|image\/svg)/i;

export function urlTarget(url: string): UrlTarget {
  // Browsers skip these characters.
  const text = withoutControls(url);
  const decided = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*/i.exec(text)?.[0] ?? '';
  if (decided.includes(outputCharacter)) return { type: 'dynamic' };
  if (!URL.canParse(text, base.href)) return { type: 'inside' };
  const parsed = new URL(text, base.href);
  const { protocol } = parsed;
  if (scriptSchemes.has(protocol)) return { type: 'script', scheme: protocol };
  if (protocol === 'data:') return activeData.test(text) ? { type: 'script', scheme: protocol } : { type: 'inside' };
  if (harmless.has(protocol) || parsed.origin === base.origin) return { type: 'inside' };
  return { type: 'origin', origin: parsed.host === '' ? protocol : `${protocol}//${parsed.host}` };
}

function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.exec(withoutControls(url))?.[0].toLowerCase() ?? '';
}

/** Leading blanks, and every tab and line feed. */
function withoutControls(url: string): string {
  return Array.from(url)
    .filter((character) => character > '\u001f' || character === ' ')
    .join('')
    .trim();
}
