import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { TokenRequest } from '../../model/token.generated.ts';
import { withoutFinal } from '../../values/line-ends.ts';
import { type Exchange, requireCompleteBody } from '../transport/exchange.ts';
import { openHttpClient } from '../transport/http-client.ts';
import type { TransportOptions } from '../transport/read-transport.ts';

/** Sends token requests and nothing else, to the two paths of the token endpoint; never a bearer token. */
export interface TokenTransport {
  post(path: TokenPath, form: TokenRequest): Promise<Exchange>;
  destroy(): Promise<void>;
}

export type TokenPath = (typeof tokenEndpoint.paths)[number];

export function openTokenTransport(
  options: Omit<TransportOptions, 'origin'> & { readonly authUrl: string },
): TokenTransport {
  const { origin, pathname } = new URL(options.authUrl);
  const prefix = withoutFinal(pathname, '/');
  const client = openHttpClient({ ...options, origin });
  const post: TokenTransport['post'] = async (path, form) => {
    const request = {
      method: tokenEndpoint.method,
      path: prefix + path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': options.userAgent,
      },
      body: new URLSearchParams({ ...form }).toString(),
    };
    return requireCompleteBody(
      await client.exchange(request, (pool, signal) => pool.request({ ...request, signal }), {
        signal: options.signal,
      }),
    );
  };
  return { post, destroy: client.destroy };
}
