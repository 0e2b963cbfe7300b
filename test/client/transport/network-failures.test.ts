import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { unreachableError } from '../../../src/client/service-error.ts';
import { networkFailure } from '../../../src/client/transport/exchange.ts';

describe('what to check when a host cannot be reached', () => {
  const [secure, plain] = [true, false].map((isSecure) => ({ host: 'proxy', isSecure, hasUser: false }));
  const urls = 'TENANT_SYNC_BASE_URL and TENANT_SYNC_AUTH_URL';
  const authority = '; NODE_EXTRA_CA_CERTS adds a certificate authority';
  const ofEither = 'check the certificate of the host, or of the proxy if it inspects TLS';
  test.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', undefined, `check the certificate of the host${authority}`],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', plain, ofEither + authority],
    ['CERT_HAS_EXPIRED', plain, ofEither],
    ['ERR_TLS_CERT_ALTNAME_INVALID', undefined, `the certificate is for another name: check ${urls}`],
    ['ERR_TLS_CERT_ALTNAME_INVALID', plain, `the certificate is for another name: check ${urls}`],
    ['ERR_TLS_CERT_ALTNAME_INVALID', secure, `the certificate is for another name: check HTTPS_PROXY, ${urls}`],
    ['EPROTO', undefined, `check that the hosts in ${urls} have TLS`],
    ['EPROTO', plain, `check that the hosts in ${urls} have TLS`],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      secure,
      `write http:// in HTTPS_PROXY if the proxy itself has no TLS, or check that the hosts in ${urls} have TLS`,
    ],
  ])('%s through %j', (code, proxy, hint) => {
    const failure = networkFailure(Object.assign(new Error('x'), { code }), false, { proxy });
    expect(unreachableError('tenant.example', failure, 1).diagnostic).toMatchObject({ hint });
  });
});

describe('network failures', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  test.each<[string, boolean]>([
    ['ECONNRESET', true],
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EPIPE', true],
    ['ETIMEDOUT', true],
    ['EHOSTUNREACH', true],
    ['UND_ERR_SOCKET', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['UND_ERR_HEADERS_TIMEOUT', true],
    ['UND_ERR_BODY_TIMEOUT', true],
    ['CERT_HAS_EXPIRED', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false],
    ['EPROTO', false],
    ['UND_ERR_DESTROYED', false],
  ])('%s may be tried again: %s', (code, retryable) => {
    expect(networkFailure(withCode(code), true)).toMatchObject({ code, retryable, opened: true });
  });

  test('go by their name where there is no code', () => {
    expect(networkFailure(new TypeError('x'), false)).toMatchObject({ code: 'TypeError', opened: false });
    expect(networkFailure('torn', false)).toMatchObject({ code: 'Error', opened: false });
  });

  test('have a cause without anything that an error of the library has of a response', () => {
    const error = Object.assign(new Error('a part of it'), { code: 'HPE_INVALID_HEADER_TOKEN', data: 'of a response' });
    const { cause } = networkFailure(error, true);
    expect(cause).toStrictEqual(new Error('no response (HPE_INVALID_HEADER_TOKEN)'));
    expect(inspect(cause)).not.toMatch(/a part of it|of a response/);
  });

  test('of our own making are bugs', () =>
    expect(() => networkFailure(withCode('UND_ERR_INVALID_ARG'), true)).toThrow('UND_ERR_INVALID_ARG'));
});
