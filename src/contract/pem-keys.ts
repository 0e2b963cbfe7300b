/**
 * Keys in PEM that sign and verify client assertions. The algorithm follows from the key alone (RFC 7518, 3.1): RS256 for
 * RSA, and ES256, ES384 or ES512 for the curve of an EC key.
 */
import type { KeyObject } from 'node:crypto';

export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: string;
}

/** Why a text is no such key, as the end of a sentence, and what to do. Neither repeats any of the text. */
export interface KeyProblem {
  readonly why: string;
  readonly hint: string;
}

// Loaded when there is a key.
const crypto = () => process.getBuiltinModule('node:crypto');

const completePem = 'set it to the complete PEM, from -----BEGIN to -----END; a line break may be written as \\n';

const otherFormats: readonly (readonly [RegExp, why: string, hint: string])[] = [
  [/BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m, 'it is encrypted', 'decrypt it: openssl pkey -in FILE -out OTHER_FILE'],
  [/BEGIN OPENSSH/, 'it has the format of OpenSSH', 'convert the file: ssh-keygen -p -m PKCS8 -f FILE'],
  [/^(?!.*PRIVATE KEY).*-----BEGIN /s, 'it is a public key or a certificate', 'use the private key that belongs to it'],
];

/** A private key in PKCS#8, PKCS#1 or SEC 1, not encrypted. */
export function readPrivateKey(text: string): SigningKey | KeyProblem {
  const pem = text.replaceAll(/(?:\\r)?\\n/g, '\n').trim();
  const [, why, hint = ''] = otherFormats.find(([pattern]) => pattern.test(pem)) ?? [];
  return why === undefined ? parsed(() => crypto().createPrivateKey(pem), signs) : { why, hint };
}

/** A public key in SPKI or PKCS#1, or a certificate. A private key would be read as well, and kept. */
export function readPublicKey(pem: string): SigningKey | KeyProblem {
  if (pem.includes('PRIVATE KEY')) return { why: 'it is a private key', hint: 'use its public key' };
  return parsed(
    () => crypto().createPublicKey(pem),
    () => true,
  );
}

function parsed(read: () => KeyObject, isComplete: (key: KeyObject) => boolean): SigningKey | KeyProblem {
  try {
    const key = read();
    const algorithm = algorithmOf(key);
    if (algorithm === undefined)
      return { why: 'its type or size is not supported', hint: 'use RSA with 2048 bits or more, or EC P-256' };
    if (isComplete(key)) return { key, algorithm };
  } catch {
    // The error may quote the key.
  }
  return { why: 'it is no complete PEM', hint: completePem };
}

/** A key whose parts do not belong together is read without an error. */
function signs(key: KeyObject): boolean {
  const { sign, verify, createPublicKey } = crypto();
  return verify('sha256', Buffer.of(1), createPublicKey(key), sign('sha256', Buffer.of(1), key));
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): string | undefined {
  if (type === 'ec') return curves[details.namedCurve ?? ''];
  return type === 'rsa' && (details.modulusLength ?? 0) >= 2048 ? 'RS256' : undefined;
}
