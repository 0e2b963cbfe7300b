import { setMaxListeners } from 'node:events';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import type { Exchange } from './exchange.ts';
import type { TransportOptions } from './read-transport.ts';

export type WriteTransport = ReturnType<typeof openWriteTransport>;

/**
 * The lowest layer under an apply. An interrupt does not abort a write in flight: it finishes, so that its outcome is
 * known. `hangUp` aborts writes in flight, for when finishing takes too long.
 */
export function openWriteTransport({
  http,
  userAgent,
  hangUp,
}: Pick<TransportOptions, 'http' | 'userAgent'> & { readonly hangUp?: AbortSignal | undefined }) {
  // Every write in flight listens to it.
  if (hangUp !== undefined) setMaxListeners(0, hangUp);
  /** `path` is absolute. `isStillReady` is called when a connection is open; false: nothing is sent. */
  const send = (
    { method, body }: PlannedRequest,
    path: string,
    token: string,
    isStillReady?: () => boolean,
  ): Promise<Exchange> => {
    const common = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': userAgent };
    const headers = body === undefined ? common : { ...common, 'content-type': 'application/json' };
    const content = { headers, body: body === undefined ? null : JSON.stringify(body) };
    return http.exchange({ method, path }, (pool, signal) => pool.request({ method, path, ...content, signal }), {
      signal: hangUp,
      isStillReady,
    });
  };
  return { send };
}
