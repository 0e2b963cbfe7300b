import { createHash } from 'node:crypto';

/** The number of an advisory lock: 64 bits, signed, as a text that PostgreSQL reads. */
export function lockKey(purpose: 'migrate' | 'probe' | 'apply' | 'worker', name: string): string {
  return createHash('sha256').update(`tenant-sync ${purpose} ${name}`).digest().readBigInt64BE().toString();
}
