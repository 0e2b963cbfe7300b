import { InternalError } from '../model/internal-error.ts';
import type { NetworkFailure } from './exchange.ts';

/** Trouble with a certificate or a handshake does not pass by waiting, and must never be worked around. */
const tls =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|ERROR_IN_C|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)|SELF_SIGNED_CERT/;

/** We hung up ourselves: on purpose, so nothing is tried again. */
const ours = /^(UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_ABORTED|ABORT_ERR)$/;

const ourBug = /^UND_ERR_(INVALID_ARG|INVALID_RETURN_VALUE|REQ_CONTENT_LENGTH_MISMATCH|NOT_SUPPORTED)$/;

export function networkFailure(error: unknown, opened: boolean): NetworkFailure {
  const cause = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  if (ourBug.test(code)) throw new InternalError(`the request could not be made (${code})`, { cause });
  return { code, opened, retryable: !tls.test(code) && !ours.test(code), cause };
}
