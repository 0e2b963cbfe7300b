/** What is needed to issue and to verify tokens. */
import { type CryptoKey, generateKeyPair } from 'jose';
import type { SeededClient } from '../../model/clients.generated.ts';
import type { Clock } from '../../model/clock.ts';

/** The key pair that signs and verifies tokens. */
export interface TenantKeys {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export interface TokenContext {
  readonly keys: TenantKeys;
  readonly origins: TenantOrigins;
  readonly clock: Clock;
  /** Seconds. */
  readonly tokenLifetime: number;
  client(clientId: string): SeededClient | undefined;
}

export interface TenantOrigins {
  readonly origin: string;
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** The host names of a tenant on loopback; the first one is in its own URLs. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

export async function createTenantKeys(): Promise<TenantKeys> {
  return generateKeyPair('RS256');
}

export function originsOf(port: number): TenantOrigins {
  const [origin = '', ...others] = loopbackNames.map((name) => new URL(`http://${name}:${port}`).origin);
  return {
    origin,
    baseUrl: `${origin}/api/v2`,
    issuer: `${origin}/`,
    audiences: [origin, ...others].map((each) => `${each}/api/v2/`),
  };
}
