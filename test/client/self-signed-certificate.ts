import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for localhost that nobody has a reason to trust, made anew for each test. */
export function selfSignedCertificate(): Certificate {
  return certificateFor('localhost');
}

/** A certificate for a host, or of an authority. Without an authority that signs it, it is signed by itself. */
export function certificateFor(host: string, authority?: Certificate & { readonly name: string }): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(0x30, oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])); // ecdsa-with-SHA256
  const nameOf = (text: string) =>
    der(0x30, der(0x31, der(0x30, oid([0x55, 0x04, 0x03]), der(0x0c, Buffer.from(text)))));
  const validity = der(0x30, time('20200101000000Z'), time('20991231235959Z'));
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.from([1]));
  const body = der(0x30, serial, algorithm, nameOf(authority?.name ?? host), validity, nameOf(host), publicInfo);
  const signer = authority === undefined ? privateKey : createPrivateKey(authority.key);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const cert = der(0x30, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replaceAll(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function oid(bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}
