import { randomBytes } from 'node:crypto';

const digits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * An id as the service makes them: a prefix and a UUID in base 58, in the service's own alphabet (public facts 1.4, 4.3). Version 7
 * carries the time in milliseconds, version 4 is random. A short number is filled up, so that every id of a prefix has one length.
 */
export function newId(prefix: string, version: 4 | 7, now: Date): string {
  const bytes = randomBytes(16);
  if (version === 7) bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = (version << 4) | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const length = version === 7 ? 21 : 22;
  return `${prefix}_${base58(BigInt(`0x${bytes.toString('hex')}`)).padStart(length, digits[0])}`;
}

function base58(number: bigint): string {
  return number === 0n ? '' : `${base58(number / 58n)}${digits[Number(number % 58n)]}`;
}
