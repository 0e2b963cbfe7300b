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
  const through = proxy === undefined ? '' : ` through the proxy ${proxy.host}`;
  const what = isOfProxy(failure) ? `the proxy ${proxy?.host} cannot be used` : `${host} cannot be reached${through}`;
  const hint = unreachableHint(host, failure);
  return new ServiceError('SERVICE_UNREACHABLE', `${what}: ${reason}${times}`, { hint, cause });
}

/** Of the proxy alone: the same for every host behind it. No other name is looked up, and no other address connected to. */
function isOfProxy({ code, proxy }: NetworkFailure): boolean {
  return proxy !== undefined && /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|PROXY_407)$/.test(code);
}

/** What another certificate authority may correct. */
const untrusted = /SELF_SIGNED_CERT|^UNABLE_TO_(GET|VERIFY)_|^CERT_UNTRUSTED$|^INVALID_CA$/;

function unreachableHint(host: string, failure: NetworkFailure): string {
  const { code, proxy, retryable, whyDirect } = failure;
  const urls = 'TENANT_SYNC_BASE_URL and TENANT_SYNC_AUTH_URL';
  if (code === 'PROXY_407')
    return proxy?.hasUser === true
      ? 'the proxy refused the user and the password in HTTPS_PROXY: correct them, percent-encoded, such as %40 for @'
      : 'set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT, with the user of the proxy';
  if (/^PROXY_4/.test(code)) return askProxy(host);
  if (isOfProxy(failure)) return `check ${ofProxy}`;
  if (retryable && proxy !== undefined) return `check ${ofProxy}, then ${urls}`;
  if (retryable) {
    const more = whyDirect === undefined ? '' : `; ${whyDirect}`;
    return `check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and the network${more}`;
  }
  const isSecure = proxy?.isSecure === true;
  if (/^(EPROTO$|ERR_SSL_)/.test(code)) {
    const first = isSecure ? 'write http:// in HTTPS_PROXY if the proxy itself has no TLS, or ' : '';
    return `${first}check that the hosts in ${urls} have TLS`;
  }
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code))
    return `the certificate is for another name: check ${isSecure ? 'HTTPS_PROXY, ' : ''}${urls}`;
  const inspects = proxy === undefined ? '' : ', or of the proxy if it inspects TLS';
  const authority = untrusted.test(code) ? '; NODE_EXTRA_CA_CERTS adds a certificate authority' : '';
  return `check the certificate of the host${inspects}${authority}`;
}
