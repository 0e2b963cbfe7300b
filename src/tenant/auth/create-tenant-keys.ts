import type { CryptoKey } from 'jose';
import { generateKeyPair } from 'jose';

/** The pair that signs and checks tokens. */
export interface TenantKeys {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export async function createTenantKeys(): Promise<TenantKeys> {
  return generateKeyPair('RS256');
}
