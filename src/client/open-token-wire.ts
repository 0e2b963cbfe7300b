import { tokenEndpoint } from '../contract/token-endpoint.ts';
import type { TokenRequest } from '../model/token.generated.ts';
import type { Exchange } from './exchange.ts';
import { type LineTerms, openLine } from './open-line.ts';
import { requireWholeBody } from './require-whole-body.ts';

/** Sends token requests and nothing else, to the two paths of the token endpoint; never a bearer token. */
export interface TokenWire {
  post(path: TokenPath, form: TokenRequest): Promise<Exchange>;
  destroy(): Promise<void>;
}

export type TokenPath = (typeof tokenEndpoint.paths)[number];

export function openTokenWire(
  terms: Omit<LineTerms, 'origin'> & {
    readonly authUrl: string;
    readonly userAgent: string;
    readonly signal: AbortSignal;
  },
): TokenWire {
  const { origin, pathname } = new URL(terms.authUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const line = openLine({ ...terms, origin });
  const post: TokenWire['post'] = async (path, form) => {
    const request = {
      method: tokenEndpoint.method,
      path: prefix + path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': terms.userAgent,
      },
      body: new URLSearchParams({ ...form }).toString(),
    };
    return requireWholeBody(await line.exchange((pool, signal) => pool.request({ ...request, signal }), terms.signal));
  };
  return { post, destroy: line.destroy };
}
