import { setMaxListeners } from 'node:events';
import type { PlannedRequest } from '../model/plan.generated.ts';
import type { Exchange } from './exchange.ts';
import { type LineTerms, openLine } from './open-line.ts';

/** The lowest layer under an apply. A stop does not cut it short: a write that has begun is finished, so that its outcome is known. */
export interface WriteWire {
  /** `path` is absolute. */
  send(request: PlannedRequest, path: string, token: string): Promise<Exchange>;
  close(): Promise<void>;
}

/** `hangUp` is for when finishing takes too long. */
export function openWriteWire(
  terms: LineTerms & { readonly userAgent: string; readonly hangUp?: AbortSignal | undefined },
): WriteWire {
  const line = openLine(terms);
  // Every write under way listens to it.
  if (terms.hangUp !== undefined) setMaxListeners(0, terms.hangUp);
  const send: WriteWire['send'] = ({ method, body }, path, token) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': terms.userAgent };
    const content =
      body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return line.exchange((pool, signal) => pool.request({ method, path, ...content, signal }), terms.hangUp);
  };
  return { send, close: line.close };
}
