import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPrivateKey, readPublicKey } from '../../src/contract/pem-keys.ts';
import { keyPair, pem } from '../support/key-pairs.ts';

const rsa = keyPair();
const curve = keyPair('P-256');
const algorithmOf = (text: string) => {
  const key = readPrivateKey(text);
  return 'why' in key ? key.why : key.algorithm;
};

describe('a private key', () => {
  test.each([
    ['PKCS#8', rsa.pkcs8, 'RS256'],
    ['PKCS#1', rsa.traditional, 'RS256'],
    ['PKCS#8 of a curve', curve.pkcs8, 'ES256'],
    ['SEC 1', curve.traditional, 'ES256'],
    ['\\n in place of line breaks', rsa.pkcs8.replaceAll('\n', '\\n'), 'RS256'],
    ['\\r\\n in place of line breaks', rsa.traditional.replaceAll('\n', '\\r\\n'), 'RS256'],
    ['CRLF', rsa.pkcs8.replaceAll('\n', '\r\n'), 'RS256'],
    ['blanks around it', `\n  ${rsa.pkcs8}\n`, 'RS256'],
    [
      'parameters before it',
      `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${curve.traditional}`,
      'ES256',
    ],
    ['its public key beside it', `${rsa.pkcs8}${rsa.spki}`, 'RS256'],
    ['its public key before it', `${rsa.spki}${rsa.pkcs8}`, 'RS256'],
  ])('with %s is read', (_form, text, algorithm) => {
    expect(algorithmOf(text)).toBe(algorithm);
  });

  const encrypted = (type: 'pkcs8' | 'pkcs1') =>
    rsa.privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
  const other = ({ privateKey }: { readonly privateKey: KeyObject }) => pem(privateKey, 'pkcs8');

  test.each([
    ['an encrypted key', encrypted('pkcs8'), 'it is encrypted'],
    ['a key encrypted in the old way', encrypted('pkcs1'), 'it is encrypted'],
    [
      'a key of OpenSSH',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----',
      'it has the format of OpenSSH',
    ],
    ['a public key', rsa.spki, 'it is a public key or a certificate'],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
      'it is a public key or a certificate',
    ],
    [
      'RSA with 1024 bits',
      other(generateKeyPairSync('rsa', { modulusLength: 1024 })),
      'its type or size is not supported',
    ],
    ['RSA-PSS', other(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })), 'its type or size is not supported'],
    ['Ed25519', other(generateKeyPairSync('ed25519')), 'its type or size is not supported'],
    ['X25519', other(generateKeyPairSync('x25519')), 'its type or size is not supported'],
    ['secp256k1', other(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), 'its type or size is not supported'],
    ['a key without its end', rsa.pkcs8.slice(0, 900), 'it is no complete PEM'],
    ['a key on one line', rsa.pkcs8.replaceAll('\n', ' '), 'it is no complete PEM'],
    ['the body alone', rsa.pkcs8.split('\n').slice(1, -2).join('\n'), 'it is no complete PEM'],
    ['a secret', 'made-up', 'it is no complete PEM'],
    ['blanks', '  ', 'it is no complete PEM'],
  ])('%s is refused', (_name, text, why) => {
    expect(algorithmOf(text)).toBe(why);
  });

  test('with a damaged body never signs, and no message has any of it', () => {
    const der = rsa.privateKey.export({ type: 'pkcs8', format: 'der' });
    fc.assert(
      fc.property(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(der);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const text = `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END PRIVATE KEY-----\n`;
        const key = readPrivateKey(text);
        if ('why' in key) expect(`${key.why} ${key.hint}`).not.toContain(bytes.toString('base64').slice(0, 12));
        else expect(() => createPrivateKey(text)).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });
});

describe('a public key', () => {
  test.each([
    ['SPKI', rsa.spki, 'RS256'],
    ['PKCS#1', pem(rsa.publicKey, 'pkcs1'), 'RS256'],
    ['a curve', curve.spki, 'ES256'],
  ])('of %s is read', (_name, text, algorithm) => {
    expect(readPublicKey(text)).toMatchObject({ algorithm });
  });

  test.each([
    ['a private key', rsa.pkcs8, 'it is a private key'],
    ['a private key in PKCS#1', rsa.traditional, 'it is a private key'],
    ['another text', 'x', 'it is no complete PEM'],
  ])('%s is refused', (_name, text, why) => {
    expect(readPublicKey(text)).toMatchObject({ why });
  });
});
