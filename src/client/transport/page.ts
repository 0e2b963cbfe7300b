import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from './parse-json.ts';

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly bytes: Buffer };
  readonly proxy?: string | undefined;
}

/** Types of the pages of proxies, logins and maintenance. No other type is shown: it may be a secret in another form. */
const pageTypes = ['text/html', 'application/xhtml+xml', 'text/xml', 'application/xml', 'text/plain'];

/** The type of such a page, by its header; null if the body may be the service's own. */
export function pageType(headers: IncomingHttpHeaders): string | null {
  const [named] = String(headers['content-type']).toLowerCase().split(/\s*;/, 1);
  return pageTypes.find((type) => type === named) ?? null;
}

/** What a body is that is not the service's own; null if it may be. */
export function pageIn({ headers, body }: Response): string | null {
  const type = pageType(headers);
  const isPage = type !== null && body.bytes.length > 0 && !parseJson(body.bytes).ok;
  return isPage ? `the body is ${type} instead of JSON, as from a proxy` : null;
}

/** The proxy on the way of a body that is no JSON: the proxy, or a gateway behind it, may have written it. '' otherwise. */
export function throughProxy({ proxy, body }: Response): string {
  return proxy === undefined || parseJson(body.bytes).ok ? '' : ` through the proxy ${proxy}`;
}

/** Why a success has no value; `why` is that of the parser. */
export function whyNotJson(response: Response, why: string): string {
  const [page, through] = [pageIn(response), throughProxy(response)];
  return page === null && through === '' ? why : `status ${response.status}${through}, but ${page ?? why}`;
}
