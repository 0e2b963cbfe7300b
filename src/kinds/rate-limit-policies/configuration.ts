import { shortUrl } from '../../values/short-url.ts';

/** `block above 100 requests per second`, `redirect above 5 requests per second to https://…`. */
export function configurationText(configuration: unknown): string {
  return textOf(configuration, ' requests per second', (uri) => uri);
}

/** `block above 100/s`, `redirect above 5/s to acme.example/busy`. */
export function configurationSummary(configuration: unknown): string {
  return textOf(configuration, '/s', shortUrl);
}

function textOf(configuration: unknown, unit: string, uriText: (uri: string) => string): string {
  const {
    action,
    limit,
    redirect_uri: uri,
  } = configuration as { action: string; limit?: number; redirect_uri?: string };
  const above = limit === undefined ? '' : ` above ${limit}${unit}`;
  return `${action}${above}${uri === undefined ? '' : ` to ${uriText(uri)}`}`;
}

/**
 * The normal form of an https URI: two URIs with one normal form are equivalent by RFC 3986, section 6, and nothing more.
 *
 * - scheme and host in lower case, the digits of escapes in upper case (6.2.2.1)
 * - escapes of unreserved characters decoded (6.2.2.2)
 * - dot segments removed (6.2.2.3)
 * - an empty or default port left out, an empty path as `/` (6.2.3)
 *
 *     HTTPS://Acme.example:443/%7eslow/../busy    https://acme.example/busy
 *     https://acme.example/busy/                  another URI: the slash stays
 *
 * A text of another form is returned as it is.
 */
export function normalUri(text: string): string {
  const [all, authority = '', path = '', rest = ''] = httpsUri.exec(text) ?? [];
  if (all === undefined) return text;
  const host = normalEscapes(normalEscapes(authority).toLowerCase());
  return `https://${host.replace(/:(?:443)?$/, '')}${withoutDotSegments(normalEscapes(path))}${normalEscapes(rest)}`;
}

/** Authority, path, and query with fragment. */
const httpsUri = /^https:\/\/([^/?#]*)([^?#]*)(.*)$/is;

function normalEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : triplet.toUpperCase();
  });
}

/** The algorithm of RFC 3986, 5.2.4, for a path that is empty or starts with a slash. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  return `/${kept.join('/')}${(last === '.' || last === '..') && kept.length > 0 ? '/' : ''}`;
}
