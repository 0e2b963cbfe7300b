import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import type { HttpResponse, NetworkFailure } from './transport/exchange.ts';
import { throughProxy } from './transport/page.ts';

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
  const text = message.replace(/^the /, 'The ');
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The service refuses the token, and there is no other. */
export function unauthorizedError(host: string, explained: string, response: HttpResponse): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', `${host} refused the token: ${explained}`, {
    hint: afterProxy(host, response, 'check that the token is for this tenant and has not expired'),
  });
}

/** A hint, and before it the proxy if what was received through it may not be the service's own. */
export function afterProxy(host: string, response: HttpResponse, hint: string): string {
  return throughProxy(response) === '' ? hint : `${askProxy(host)}; then ${hint}`;
}

const ofProxy = 'the variables HTTPS_PROXY and NO_PROXY';

function askProxy(host: string): string {
  return `ask for access to ${host} through the proxy, or check ${ofProxy}`;
}

/** No request of the run got a response: most likely the address, the proxy or the network is wrong. */
export function unreachableError(host: string, failure: NetworkFailure, tries: number): ServiceError {
  const { code, proxy, cause } = failure;
  const times = tries === 1 ? '' : ` after ${tries} tries`;
  const reason = /^PROXY_/.test(code) ? cause.message.replace(/.*: /, '') : code;
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  const what = isOfProxy(failure) ? `the proxy ${proxy} cannot be used` : `${host} cannot be reached${through}`;
  const hint = unreachableHint(host, failure);
  return new ServiceError('SERVICE_UNREACHABLE', `${what}: ${reason}${times}`, { hint, cause });
}

/** Of the proxy alone: the same for every host behind it. */
function isOfProxy({ code, proxy }: NetworkFailure): boolean {
  return proxy !== undefined && /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|PROXY_407)$/.test(code);
}

function unreachableHint(host: string, failure: NetworkFailure): string {
  const { code, proxy, retryable } = failure;
  if (code === 'PROXY_407') return 'set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT, with the user of the proxy';
  if (/^PROXY_4/.test(code)) return askProxy(host);
  if (isOfProxy(failure)) return `check ${ofProxy}`;
  if (retryable)
    return `check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and ${proxy === undefined ? 'the network' : ofProxy}`;
  const inspects = proxy === undefined ? '' : ', or of the proxy if it inspects TLS';
  return `check the certificate of the host${inspects}; NODE_EXTRA_CA_CERTS adds a certificate authority`;
}
