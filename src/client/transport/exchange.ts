import type { IncomingHttpHeaders } from 'node:http';
import { InternalError } from '../../model/internal-error.ts';
import { pageType } from './page.ts';

/** How a request goes to its host. */
export interface Way {
  readonly proxy?: { readonly host: string; readonly isSecure: boolean; readonly hasUser: boolean } | undefined;
  /** Why there is none although a variable names one; for people. */
  readonly whyDirect?: string | undefined;
}

/** A request that got no usable response. */
export interface NetworkFailure extends Way {
  /** The system's or the HTTP library's code: ECONNRESET, UND_ERR_SOCKET, CERT_HAS_EXPIRED, … */
  readonly code: string;
  /** A connection was open, so the request may have arrived and may have been carried out. */
  readonly opened: boolean;
  readonly retryable: boolean;
  /** Its message is for people. Nothing else is kept of an error, which can have a part of the response. */
  readonly cause: Error;
}

/** What was read of a body. `error` is why reading ended early; null when the body is complete. */
export interface ResponseBody {
  readonly bytes: Buffer;
  readonly error: 'too_large' | NetworkFailure | null;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: ResponseBody;
  /** The host of the proxy on the way. */
  readonly proxy?: string | undefined;
}

/** One request and its response. A failure is a value: the retry policy decides what it means. */
export type Exchange =
  | { readonly responded: true; readonly response: HttpResponse }
  | { readonly responded: false; readonly failure: NetworkFailure };

/** Certificate and handshake errors do not pass by waiting, and must never be worked around. */
const tls =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|ERROR_IN_C|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)|SELF_SIGNED_CERT/;

/** The client closed the connection on purpose, so nothing is retried. */
const closedByUs = /^(UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_ABORTED|ABORT_ERR)$/;

/** A 4xx of a proxy, except for those that ask for another try. */
const refusedByProxy = /^PROXY_4(?!08|25|29)/;

const ourBug = /^UND_ERR_(INVALID_ARG|INVALID_RETURN_VALUE|REQ_CONTENT_LENGTH_MISMATCH|NOT_SUPPORTED)$/;

/** A proxy that opens no tunnel. A later try may get one after an error of the proxy, or of what is behind it. */
class ProxyRefusal extends Error {
  readonly code: string;

  constructor(status: number, headers: IncomingHttpHeaders) {
    const type = pageType(headers);
    super(`the proxy responded with status ${status}${type === null ? '' : ` and ${type}`}`);
    this.code = `PROXY_${status}`;
  }
}

export function proxyRefusal(status: number, headers: IncomingHttpHeaders): Error {
  return new ProxyRefusal(status, headers);
}

export function networkFailure(error: unknown, opened: boolean, way: Way = {}): NetworkFailure {
  const cause = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  if (ourBug.test(code)) throw new InternalError(`the request could not be made (${code})`, { cause });
  const retryable = ![tls, closedByUs, refusedByProxy].some((codes) => codes.test(code));
  const through = way.proxy === undefined ? '' : ` through the proxy ${way.proxy.host}`;
  const why = cause instanceof ProxyRefusal ? `: ${cause.message}` : ` (${code})`;
  return { code, opened, retryable, ...way, cause: new Error(`no response${through}${why}`) };
}

/** A connection was open too late for a request whose reading may not get old. */
export const connectedLate = 'CONNECTED_LATE';

const notSentCode = 'NOT_SENT';

/** The result of a request that the client never sent; `why` is for people. */
export function notSent(why: string): Exchange {
  return neverSent(notSentCode, new Error(why));
}

const noTokenCode = 'NO_TOKEN';

/** The result of a request for which there is no token, because of an error. */
export function withoutToken(error: unknown): Exchange {
  if (error instanceof InternalError) throw error;
  const interrupted = new Error('interrupted before there was a token', { cause: error });
  return neverSent(noTokenCode, error instanceof Error ? error : interrupted);
}

function neverSent(code: string, cause: Error): Exchange {
  return { responded: false, failure: { code, opened: false, retryable: false, cause } };
}

export function hadNoToken({ code }: NetworkFailure): boolean {
  return code === noTokenCode;
}

export function wasNotSent(failure: NetworkFailure): boolean {
  return failure.code === notSentCode;
}

/**
 * For a response that is needed to its last byte: a success whose body broke off counts as no response, and may be
 * retried.
 */
export function requireCompleteBody(exchange: Exchange): Exchange {
  if (!exchange.responded || exchange.response.status >= 300) return exchange;
  const { error } = exchange.response.body;
  return error === null || error === 'too_large' ? exchange : { responded: false, failure: error };
}
