import { parsedUrl } from './parsed-url.ts';

/**
 * Who gets what is sent to an address: a host with its port, after `http://` where it is not encrypted, or the scheme of an
 * application. The path is left out, because it may have credentials. Null where the address has no host.
 *
 *   https://shop.example/callback   ->  shop.example
 *   https://*.shop.example/         ->  *.shop.example
 *   com.example.app:/callback       ->  com.example.app:
 */
export function hostOf(address: string): string | null {
  const text = withoutControls(address);
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$)))?(.*)$/i.exec(text) ?? [];
  const [kind, isAbsolute] = [scheme.toLowerCase(), /^[\\/]{2}/.test(rest)];
  const isWeb = /^(?:https?|wss?)$/.test(kind);
  const url = isWeb ? parsedUrl(text) : null;
  if (url !== null) return after(kind, url.host);
  if (kind === '' && !isAbsolute && /^[\\/?#]/.test(rest)) return null;
  if (kind !== '' && !isWeb && !isAbsolute) return `${kind}:`;
  // Parsers disagree about what this is, so all of it may be the host.
  const authority = /^[^\\/?#]*/.exec(rest.replace(/^[\\/]*/, ''))?.[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  return host === '' && kind === '' ? null : after(kind, host);
}

function after(scheme: string, host: string): string {
  return scheme === '' || scheme === 'https' ? host : `${scheme}://${host}`;
}

/** Browsers skip leading and trailing blanks, and every tab and line break. */
function withoutControls(address: string): string {
  return Array.from(address)
    .filter((character) => character > '\u001f')
    .join('')
    .trim();
}

/** Whether a host is one of these, or a pattern among them has it: `*` is a part of a name, without a dot. */
export function isCovered(host: string, known: readonly string[]): boolean {
  return known.some((one) => {
    if (one === host || !one.includes('*')) return one === host;
    const parts = one.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^./:]+')}$`).test(host);
  });
}

const addresses = /(?:\b(https?|wss?):|(?<=["'`(=]\s*))\/\/((?:\$\{[^}]*\}|[^\s"'`<>\\/?#(){}[\],;])+)/gi;
/** The names of SVG and others are no addresses. */
const namespace = 'http://www.w3.org';

/** The origins of the addresses that a text names. One that is put together from parts is not recognized. */
export function originsIn(text: string): string[] {
  const found = Array.from(text.replaceAll('\\/', '/').matchAll(addresses), ([, scheme, authority = '']) => {
    const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
    // A comment can begin in the same way.
    return scheme === undefined && !host.includes('.') ? [] : `${(scheme ?? 'https').toLowerCase()}://${host}`;
  });
  return [...new Set(found.flat())].filter((origin) => origin !== namespace);
}
