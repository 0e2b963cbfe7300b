import { type Exchange, requireCompleteBody } from './exchange.ts';
import { type HttpClientOptions, openHttpClient } from './http-client.ts';

export type ReadTransport = ReturnType<typeof openReadTransport>;

/** What the transports to the base URL's origin share; tokens go nowhere else. */
export interface TransportOptions extends HttpClientOptions {
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** The lowest layer under a reader. It takes neither a method nor a body: GET is all it can send. */
export function openReadTransport(options: TransportOptions) {
  const { userAgent } = options;
  const client = openHttpClient(options);
  /** `path` is absolute, with its query. */
  const get = async (path: string, token: string): Promise<Exchange> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': userAgent };
    const line = { method: 'GET', path } as const;
    return requireCompleteBody(
      await client.exchange(line, (pool, signal) => pool.request({ ...line, headers, signal }), {
        signal: options.signal,
      }),
    );
  };
  return { get, destroy: client.destroy };
}
