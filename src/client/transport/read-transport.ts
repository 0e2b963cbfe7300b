import { type Exchange, requireCompleteBody } from './exchange.ts';
import { type HttpClientOptions, openHttpClient } from './http-client.ts';

/** The lowest layer under a reader. It takes neither a method nor a body: GET is all it can send. */
export interface ReadTransport {
  /** `path` is absolute, with its query. */
  get(path: string, token: string): Promise<Exchange>;
  destroy(): Promise<void>;
}

/** What the transports to the base URL's origin share; tokens go nowhere else. */
export interface TransportOptions extends HttpClientOptions {
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

export function openReadTransport(options: TransportOptions): ReadTransport {
  const { userAgent } = options;
  const client = openHttpClient(options);
  const get: ReadTransport['get'] = async (path, token) => {
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
