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
  /** `path` is absolute, with its query. `signal`: aborted at the latest when the connection ends. */
  const get = async (path: string, token: string, signal = ended): Promise<Exchange> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': userAgent };
    const line = { method: 'GET', path } as const;
    return requireCompleteBody(
      await http.exchange(line, (pool, deadline) => pool.request({ ...line, headers, signal: deadline }), { signal }),
    );
  };
  return { get };
}
