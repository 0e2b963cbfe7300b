import type { Exchange } from './exchange.ts';
import { type LineTerms, openLine } from './open-line.ts';
import { requireWholeBody } from './require-whole-body.ts';

/** The lowest layer under a reader. It has no word for a method or a body: GET is all it can send. */
export interface ReadWire {
  /** `path` is absolute, with its query. */
  get(path: string, token: string): Promise<Exchange>;
  destroy(): Promise<void>;
}

export function openReadWire(
  terms: LineTerms & { readonly userAgent: string; readonly signal: AbortSignal },
): ReadWire {
  const line = openLine(terms);
  const get: ReadWire['get'] = async (path, token) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': terms.userAgent };
    return requireWholeBody(
      await line.exchange((pool, signal) => pool.request({ method: 'GET', path, headers, signal }), terms.signal),
    );
  };
  return { get, destroy: line.destroy };
}
