import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { networkFailure } from '../../../src/client/transport/exchange.ts';

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
