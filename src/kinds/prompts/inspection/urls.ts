import { parsedUrl } from '../../../values/parsed-url.ts';
import { placeholder } from './liquid.ts';

/** Where an address leads. `inside`: nowhere outside of the page. */
export type UrlTarget =
  | { readonly type: 'inside' }
  | { readonly type: 'origin'; readonly origin: string }
  | { readonly type: 'script'; readonly scheme: string }
  /** Liquid, or an escape in CSS, makes the part that decides. */
  | { readonly type: 'dynamic' };

const addresses =
  /^(?:src|href|xlink:href|action|formaction|poster|data|background|manifest|codebase|classid|lowsrc|dynsrc|profile|to|from|by)$/;
const lists = /^(?:srcset|imagesrcset|ping|archive|attributionsrc|values)$/;
/** Texts that are shown or compared, and never loaded. */
const texts =
  /^(?:alt|title|value|placeholder|label|content|id|class|name|for|form|type|lang|dir|role|slot|part|tabindex|width|height|maxlength|minlength|size|rows|cols|colspan|rowspan|pattern|min|max|step|list|autocomplete|inputmode|srcdoc|http-equiv|datetime|xmlns(?::.*)?|aria-.*|data-.+)$/;
const addressInStyle =
  /(?:\b[a-z][a-z0-9+.-]{0,29}:)?\/{2}[^\s'")<>;]*|\b(?:https?|wss?|ftp):\/*[^\s'")<>;/][^\s'")<>;]*|\bdata:\s*text\/[^\s'")<>]*/gi;
const absolute = /^(?:[a-z][a-z0-9+.-]*:)?\s*[\\/]\s*[\\/]/i;

/**
 * Where the value of an attribute leads; of a text, only what runs as a script. Each other value may be CSS, as those of
 * many attributes of SVG are.
 */
export function targetsIn(element: string, name: string, value: string): UrlTarget[] {
  if (value === '') return [];
  if (name === 'style') return targetsInStyle(value);
  if (addresses.test(name)) return [...(/^(?:to|from|by)$/.test(name) ? targetsInStyle(value) : []), urlTarget(value)];
  if (lists.test(name))
    return value.includes(placeholder)
      ? [dynamic]
      : [...targetsInStyle(value), ...value.split(name === 'values' ? ';' : /[\s,;]+/).map(urlTarget)];
  // A refresh, or something else that looks like one.
  if (element === 'meta' && name === 'content')
    return [urlTarget(value.replace(/^[\s\d.;,]*(?:url\s*=\s*)?["']?/i, '').replace(/["'].*/s, ''))];
  const whole = urlTarget(value);
  if (texts.test(name)) return whole.type === 'script' && whole.scheme !== 'data:' ? [whole] : [];
  return [...(whole.type === 'script' || absolute.test(value.trim()) ? [whole] : []), ...targetsInStyle(value)];
}

export const dynamic: UrlTarget = { type: 'dynamic' };

/** Addresses with a host in CSS, wherever it allows them, and style sheets that are data. Escapes are not read. */
export function targetsInStyle(css: string): UrlTarget[] {
  if (css.includes(placeholder) || css.includes('\\')) return [dynamic];
  return Array.from(css.replaceAll('\t', '').matchAll(addressInStyle), ([url]) => urlTarget(url));
}

const base = new URL('https://page.invalid/');
const scripts = /^(?:javascript|vbscript):/i;
const harmless = new Set(['mailto:', 'tel:', 'sms:', 'blob:', 'about:']);
/** Data that browsers show as a document or run. */
const activeData = /^data:\s*(?:text\/(?:html|javascript|css|xml)|application\/|image\/svg)/i;
/** Liquid in the part that decides where it leads. */
const made = /^(?:data:.*|(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*)\ue000/is;
/** A path or a part of the page, also where Liquid follows. */
const decidedInside = /^(?:[\\/](?![\\/])[^\ue000]|[?#.])/;

export function urlTarget(value: string): UrlTarget {
  const url = withoutControls(value);
  if (scripts.test(url)) return { type: 'script', scheme: url.slice(0, url.indexOf(':') + 1).toLowerCase() };
  if (made.test(url) && !decidedInside.test(url)) return dynamic;
  const parsed = parsedUrl(url, base.href);
  if (parsed === null) return { type: 'inside' };
  const { protocol, host, origin } = parsed;
  if (protocol === 'data:') return activeData.test(url) ? { type: 'script', scheme: protocol } : { type: 'inside' };
  if (harmless.has(protocol) || origin === base.origin) return { type: 'inside' };
  return { type: 'origin', origin: host === '' ? protocol : `${protocol}//${host}` };
}

/** Browsers skip leading control characters and blanks, and every tab and line feed. */
function withoutControls(url: string): string {
  return Array.from(url)
    .filter((character) => character > '\u001f')
    .join('')
    .trim();
}
