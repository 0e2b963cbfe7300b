import type { IncomingHttpHeaders } from 'node:http';

/** A request that got no usable answer. */
export interface NetworkFailure {
  /** The system's or the HTTP library's code: ECONNRESET, UND_ERR_SOCKET, CERT_HAS_EXPIRED, … */
  readonly code: string;
  /** A connection was open, so the request may have arrived and may have been carried out. */
  readonly opened: boolean;
  readonly retryable: boolean;
  readonly cause: Error;
}

/** What was read of a body. `fault` says why there is no more of it; null when it is whole. */
export interface AnswerBody {
  readonly bytes: Buffer;
  readonly fault: 'too_large' | NetworkFailure | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnswerBody;
}

/** One request and what came back. Trouble is a value: it is the retry rules that decide what it means. */
export type Exchange =
  | { readonly answered: true; readonly answer: Answer }
  | { readonly answered: false; readonly failure: NetworkFailure };
