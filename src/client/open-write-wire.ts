import type { PlannedRequest } from '../model/plan.generated.ts';
import type { Exchange } from './exchange.ts';
import { type LineTerms, openLine } from './open-line.ts';

/** The lowest layer under an apply. Takes no signal: a write that has begun is finished, so that its outcome is known. */
export interface WriteWire {
  /** `path` is absolute. */
  send(request: PlannedRequest, path: string, token: string): Promise<Exchange>;
  close(): Promise<void>;
}

export function openWriteWire(terms: LineTerms & { readonly userAgent: string }): WriteWire {
  const line = openLine(terms);
  const send: WriteWire['send'] = ({ method, body }, path, token) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': terms.userAgent };
    const content = body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return line.exchange((pool, signal) => pool.request({ method, path, ...content, signal }));
  };
  return { send, close: line.close };
}
