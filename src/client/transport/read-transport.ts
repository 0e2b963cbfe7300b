import { type Exchange, requireCompleteBody } from './exchange.ts';
import type { HttpClient } from './http-client.ts';

export type ReadTransport = ReturnType<typeof openReadTransport>;

/** What all transports have. Tokens go to the origin of the base URL and nowhere else. */
export interface TransportOptions {
  readonly http: HttpClient;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** The lowest layer under a reader. It takes neither a method nor a body: GET is all it can send. */
export function openReadTransport({ http, userAgent, signal: ended }: TransportOptions) {
  /** `path` is absolute, with its query. */
  const get = async (path: string, token: string): Promise<Exchange> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': userAgent };
    const line = { method: 'GET', path } as const;
    return requireCompleteBody(
      await http.exchange(line, (pool, signal) => pool.request({ ...line, headers, signal }), { signal: ended }),
    );
  };
  return { get };
}
