/**
 * The format strict-https-uri of the service specification (2.1): an https URI by RFC 3986 that a redirect can use.
 *
 * The grammar decides first, because the parser of Node repairs what it reads: it escapes `{` and `é` and accepts `\\`.
 * Then the parser must accept the text, because browsers follow the redirect with the same rules. Every check takes
 * linear time.
 */

/** `https://` in any case (RFC 3986, 3.1), and an authority of at least one character. */
const start = /^https:\/\/([^/?#]+)/i;
/** Unreserved characters and delimiters (RFC 3986, 3.3 to 3.5); square brackets belong to an address in the host only. */
const notAllowed = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?#%]/;
const badEscape = /%(?![0-9A-Fa-f]{2})/;
/** A name or an IPv6 address, and a port (RFC 3986, 3.2). No user: a sender must not generate one (RFC 9110, 4.2.4). */
const authority = /^(?:(\[[0-9A-Fa-f:.]+\])|([^:@[\]]+))(?::(\d*))?$/;

/** An https URI with a host. */
export function isHttpsUri(text: string): boolean {
  const [prefix, server] = start.exec(text) ?? [];
  if (prefix === undefined || server === undefined) return false;
  const rest = text.slice(prefix.length);
  if (notAllowed.test(rest) || badEscape.test(text) || rest.indexOf('#') !== rest.lastIndexOf('#')) return false;
  return isServer(server) && URL.canParse(text) && hasOneReading(server, new URL(text));
}

/**
 * Whether every parser finds the same host: one with escapes, or an address like `0177.1`, is another one after this parser
 * has read it, and others do not read it so.
 */
function hasOneReading(server: string, { hostname }: URL): boolean {
  const host = server.replace(/:\d*$/, '').toLowerCase();
  return host === hostname || host.startsWith('[');
}

function isServer(text: string): boolean {
  const [, address, name = '', port = ''] = authority.exec(text) ?? [];
  if (address === undefined && (name === '' || notAllowed.test(name) || hasEmptyLabel(name))) return false;
  // Port 0 is reserved (RFC 6335, 6); an empty port is the default one.
  return port === '' || Number(port) > 0;
}

/** One dot at the end is the root of the domain name system (RFC 3986, 3.2.2). */
function hasEmptyLabel(name: string): boolean {
  return name.replace(/\.$/, '').split('.').includes('');
}

/** What follows `client_id:` in a selector: a client id, or the URI of a CIMD client (service specification 2.1). */
export function isClientSelector(text: string): boolean {
  const client = text.slice('client_id:'.length);
  if (!text.startsWith('client_id:') || client === '' || /[\s\p{Cc}\p{Cs}]/u.test(client)) return false;
  return !/^https:/i.test(client) || isHttpsUri(client);
}
