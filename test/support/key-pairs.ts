import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key pair in every form that is read. */
export function keyPair(type: 'rsa' | 'P-256' | 'P-384' | 'P-521' = 'rsa') {
  const { privateKey, publicKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: type });
  return {
    privateKey,
    publicKey,
    pkcs8: pem(privateKey, 'pkcs8'),
    /** PKCS#1 of RSA, SEC 1 of EC. */
    traditional: pem(privateKey, type === 'rsa' ? 'pkcs1' : 'sec1'),
    spki: pem(publicKey, 'spki'),
  };
}

export function pem(key: KeyObject, type: string): string {
  // The types of an export depend on the kind of key.
  return key.export({ type: type as 'pkcs1', format: 'pem' }).toString();
}
