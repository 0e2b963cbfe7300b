import { isHttpsUri } from '../../contract/https-uri.ts';
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
 * The normal form of an https URI: two URIs with one normal form are equivalent by RFC 3986, section 6. The parser of Node
 * normalizes scheme, host, port and dot segments. Then the digits of escapes are in upper case (6.2.2.1), and escapes of
 * unreserved characters are decoded (6.2.2.2).
 *
 *     HTTPS://Acme.example:443/%7eslow/../busy    https://acme.example/busy
 *     https://acme.example/busy/                  another URI: the slash stays
 *
 * A text of another form is returned as it is.
 */
export function normalUri(text: string): string {
  if (!isHttpsUri(text)) return text;
  return new URL(text).href.replaceAll(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : triplet.toUpperCase();
  });
}
