/** The string formats of `schemas/`, registered once. The compiled validators call them by name. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { withoutFinal } from '../values/line-ends.ts';
import { parsedUrl } from '../values/parsed-url.ts';

type Check = (text: string) => boolean;

// The type of the library is a union of all forms of a format; these have these ones.
const dateTime = fullFormats['date-time'] as unknown as { readonly validate: Check };
const isUri = fullFormats['uri'] as unknown as Check;

/** The most common form: UTC, and a day that every month has. Always valid, and much faster to check. */
const commonDateTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

export const formats: Readonly<Record<string, Check>> = {
  'date-time': (text) => commonDateTime.test(text) || dateTime.validate(text),
  'strict-https-uri': isHttpsUri,
  'client-selector': isClientSelector,
  // The unreserved characters of RFC 3986, 2.3: an id that a path needs not escape.
  'rate-limit-policy-id': (text) => /^[A-Za-z0-9._~-]+$/.test(text) && isPathSegment(text),
  'base-url': (text) => baseUrlProblem(text) === null,
  'path-segment': isPathSegment,
  'event-stream-id': (text) => /^est_[A-Za-z0-9]{1,22}$/.test(text),
  'secret-reference': (text) => /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/.test(text),
};

/** A name or an IPv6 address, and a port (RFC 3986, 3.2). No user: a sender must not generate one (RFC 9110, 4.2.4). */
const httpsServer = /^https:\/\/([^/?#@:[\]]+|\[[^\]]*\])(?::(\d*))?(?=[/?#]|$)/i;

/** All that RFC 3986 asks of a URI whose server is a name. The format `uri` knows addresses as well, and is slow to compile. */
const namedUri = /^(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i;

/**
 * The format strict-https-uri of the service specification (2.1): an https URI by RFC 3986 that a redirect can use. The
 * grammar decides first, because the parser of Node repairs what it reads. Then the parser must accept the text, because
 * browsers follow the redirect with the same rules, and find the same host: one with escapes, or an address like `0177.1`,
 * is another one after it was read. Every check takes linear time.
 */
export function isHttpsUri(text: string): boolean {
  const [, host = '', port = ''] = httpsServer.exec(text) ?? [];
  // Port 0 is reserved (RFC 6335, 6); an empty port is the default one.
  if (host === '' || (port !== '' && Number(port) === 0)) return false;
  const isAddress = host.startsWith('[');
  const url = (isAddress ? isUri(text) : namedUri.test(text)) ? parsedUrl(text) : null;
  if (url === null) return false;
  if (isAddress) return true;
  // One dot at the end is the root of the domain name system (RFC 3986, 3.2.2).
  const hasEmptyLabel = host.startsWith('.') || host.includes('..');
  return url.hostname === host.toLowerCase() && !hasEmptyLabel;
}

/** What follows `client_id:` in a selector: a client id, or the URI of a CIMD client (service specification 2.1). */
function isClientSelector(text: string): boolean {
  const client = text.slice('client_id:'.length);
  if (!text.startsWith('client_id:') || client === '' || /[\s\p{Cc}\p{Cs}]/u.test(client)) return false;
  return !/^https:/i.test(client) || isHttpsUri(client);
}

/** Text that stays one segment when it is put into a path: no dot segments, no separators, no control characters. */
function isPathSegment(text: string): boolean {
  return text !== '.' && text !== '..' && !text.includes('/') && !hasUnsafeCharacter(text);
}

function hasUnsafeCharacter(text: string): boolean {
  return /[\s\\\p{Cc}\p{Cs}]/u.test(text);
}

/**
 * Why a text cannot be the base URL of a tenant, or null. https, or http on loopback; no credentials, query or
 * fragment; ends in /api/v2 (service specification 9).
 */
export function baseUrlProblem(text: string): string | null {
  const originProblem = serviceUrlProblem(text);
  if (originProblem !== null) return originProblem;
  if (!text.endsWith('/api/v2')) return 'it must end in /api/v2';
  const url = new URL(text);
  return url.pathname === '/api/v2' ? null : 'its path must be /api/v2';
}

/** The canonical form of a base URL: host, port and path. Throws if the text is not a URL. */
export function canonicalBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + withoutFinal(pathname, '/');
}

/**
 * The canonical form of a tenant for its local state. Names of the loopback interface, and a host name with and without
 * the final dot, are one tenant, although requests go to the host as it is written. Throws if the text is not a URL.
 */
export function canonicalTenant(baseUrl: string): string {
  const url = new URL(canonicalBaseUrl(baseUrl));
  const hostname = url.hostname.replace(/\.$/, '');
  url.hostname = loopbackNames.has(hostname) ? 'localhost' : hostname;
  return canonicalBaseUrl(url.href);
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '[::ffff:7f00:1]']);

/** Why a text cannot be a URL that credentials are sent to, or null. */
export function serviceUrlProblem(text: string): string | null {
  const url = hasUnsafeCharacter(text) ? null : parsedUrl(text);
  if (url === null || url.hostname === '') return 'it is not an absolute URL';
  if (url.username !== '' || url.password !== '') return 'it must not carry credentials';
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'it must not have a query or a fragment';
  if (url.protocol === 'https:') return null;
  if (url.protocol !== 'http:') return 'it must start with https://';
  return isLoopback(url.hostname) ? null : 'http:// is accepted for loopback addresses only';
}

/** Whether a host name of a URL names this machine, without a look-up. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
