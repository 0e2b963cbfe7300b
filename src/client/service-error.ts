import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import type { NetworkFailure } from './transport/exchange.ts';

/** A problem with the service or the network that ends a run, with the diagnostic to print. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly diagnostic: Diagnostic;

  constructor(code: DiagnosticCode, message: string, more: { readonly hint?: string; readonly cause?: Error } = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    const hint = more.hint === undefined ? {} : { hint: more.hint };
    this.diagnostic = { code, severity: 'error', message: sentence(message), ...hint };
  }
}

/** The message of an error is also a part of other sentences, so it has no full stop of its own. */
function sentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

/** The service refuses the token, and there is no other. */
export function unauthorizedError(host: string, explained: string): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', `${host} refused the token: ${explained}`, {
    hint: 'check that the token is for this tenant and has not expired',
  });
}

/** No request of the run got a response: most likely the address or the network is wrong. */
export function unreachableError(host: string, failure: NetworkFailure, tries: number): ServiceError {
  const times = tries === 1 ? '' : ` after ${tries} tries`;
  const hint = failure.retryable
    ? 'check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and the network'
    : 'check the certificate of the host; NODE_EXTRA_CA_CERTS adds a certificate authority';
  return new ServiceError('SERVICE_UNREACHABLE', `${host} cannot be reached: ${failure.code}${times}`, {
    hint,
    cause: failure.cause,
  });
}
