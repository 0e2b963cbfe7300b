import { outputCharacter, withoutLiquid } from './liquid.ts';

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
const several = new Set(['srcset', 'imagesrcset', 'ping', 'archive', 'attributionsrc']);
/** What an animation sets other attributes to, or a plugin gets. */
const animated = new Set(['to', 'from', 'by', 'values']);
/** Texts that are shown or compared, and never loaded. */
const texts =
  /^(?:alt|title|value|placeholder|label|content|id|class|name|for|form|type|lang|dir|role|slot|part|tabindex|width|height|maxlength|minlength|size|rows|cols|colspan|rowspan|pattern|min|max|step|list|autocomplete|inputmode|srcdoc|http-equiv|datetime|xmlns(?::.*)?|aria-.*|data-.+)$/;
const addressInStyle =
  /(?:\b[a-z][a-z0-9+.-]{0,29}:)?[\\/]{2}[^\s'")<>;]*|\b(?:https?|wss?|ftp):[\\/]*[^\s'")<>;\\/][^\s'")<>;]*|\bdata:\s*text\/[^\s'")<>]*/gi;
const absolute = /^\s*(?:[a-z][a-z0-9+.-]*:)?\s*[\\/]\s*[\\/]/i;

/**
 * The addresses in the value of an attribute; in a text, what runs as a script. Each other value may be CSS, as those of
 * many attributes of SVG are.
 */
export function urlsInAttribute(name: string, value: string, isRefresh: boolean): string[] {
  if (name === 'style') return stylesIn(value);
  if (several.has(name)) return value.split(/[\s,]+/).flatMap(alternatives);
  if (single.has(name)) return alternatives(value);
  if (animated.has(name)) return value.split(';').flatMap((one) => [...stylesIn(one), ...alternatives(one)]);
  if (isRefresh) return alternatives(value.replace(/^[\s\d.;,]*(?:url\s*=\s*)?["']?/i, '').replace(/["'].*$/s, ''));
  const urls = alternatives(value);
  const scripts = urls.filter((url) => urlTarget(url).type === 'script' && scriptSchemes.has(schemeOf(url)));
  if (texts.test(name)) return scripts;
  return [...scripts, ...urls.filter((url) => absolute.test(url)), ...stylesIn(value)];
}

export function isText(name: string): boolean {
  return texts.test(name);
}

export function isAddress(name: string): boolean {
  return single.has(name) || several.has(name) || animated.has(name);
}

/** With more parts than this, what a value may be is not known. */
const mostParts = 5;

/** A value with tags of Liquid may be any of its parts, in their order. */
function alternatives(value: string): string[] {
  const parts = value.split(/[\ue001-\uf8ff]/).filter((part) => part.trim() !== '');
  if (parts.length <= 1) return parts;
  if (parts.length > mostParts) return [...new Set([parts.join(''), ...parts, outputCharacter])];
  let found = [''];
  for (const part of parts) found = found.flatMap((one) => [one + part, one]);
  return [...new Set(found)].filter((one) => one !== '');
}

/** Addresses in CSS with Liquid. An output may be a part of one wherever it is. */
export function stylesIn(css: string): string[] {
  const choices = alternatives(css);
  const urls = choices.flatMap(urlsInStyle).filter((url) => !url.includes(outputCharacter));
  const isDynamic = choices.some((choice) => choice.includes(outputCharacter));
  return [...new Set([...urls, ...(isDynamic ? [outputCharacter + css] : [])])];
}

/** True if CSS may load other style sheets. */
export function hasImport(css: string): boolean {
  return /@import/i.test(withoutEscapes(withoutLiquid(css)));
}

/** Addresses with a host in CSS, wherever it allows them, and style sheets that are data. */
export function urlsInStyle(css: string): string[] {
  return Array.from(withoutEscapes(css).matchAll(addressInStyle), ([url]) => url);
}

function withoutEscapes(css: string): string {
  return css
    .replaceAll(/\\(?:([0-9a-f]{1,6})\s?|\r?\n|([^\n]))/gi, (_all, digits?: string, character?: string) =>
      digits === undefined ? (character ?? '') : decoded(digits),
    )
    .replaceAll('\t', '');
}

/** The URL parser skips tabs and line feeds. */
function decoded(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code >= 0x20 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
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
