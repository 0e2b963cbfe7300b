import { errors, generateKeyPair, jwtVerify } from 'jose';
import type { Clock } from '../../model/clock.ts';
import { errorResponse, type ServiceResponse } from '../http/response.ts';
import type { TokenClient } from '../kinds/token-clients.ts';

/** The key pair that signs and verifies tokens. */
export type TenantKeys = Awaited<ReturnType<typeof createTenantKeys>>;

export type TenantOrigins = ReturnType<typeof originsOf>;

/** What is needed to issue and to verify tokens. */
export interface TokenContext {
  readonly keys: TenantKeys;
  readonly origins: TenantOrigins;
  readonly clock: Clock;
  /** Seconds. */
  readonly tokenLifetime: number;
  client(clientId: string): TokenClient | undefined;
  /** When assertions that were accepted expire, in seconds, by client and `jti`. */
  readonly usedAssertions: Map<string, number>;
}

/** The host names of a tenant on loopback; the first one is in its own URLs. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

export async function createTenantKeys() {
  return generateKeyPair('RS256');
}

export function originsOf(port: number) {
  const [origin = '', ...others] = loopbackNames.map((name) => new URL(`http://${name}:${port}`).origin);
  return {
    origin,
    baseUrl: `${origin}/api/v2`,
    issuer: `${origin}/`,
    /** Each is the audience of an assertion; SDKs behind a proxy name it with https. */
    issuers: [origin, ...others].flatMap((each) => [`${each}/`, `${each.replace(/^http:/, 'https:')}/`]),
    audiences: [origin, ...others].map((each) => `${each}/api/v2/`),
  };
}

/** The scopes of the token, or the 401 response (service specification 5 and 7). */
export type Authenticated = { readonly scopes: ReadonlySet<string> } | { readonly refusal: ServiceResponse };

export async function authenticate(context: TokenContext, authorization: string | null): Promise<Authenticated> {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined)
    return unauthorized(authorization === null ? 'Missing authentication' : 'Bad HTTP authentication header format');
  const claims = await verify(context, token);
  if (typeof claims === 'string') return unauthorized(claims);
  const client = ownerOf(context, claims);
  if (client === undefined) return unauthorized('Unknown client');
  if (client.isRefused) return unauthorized('Client is not global');
  return { scopes: new Set(typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : []) };
}

async function verify(
  { keys, origins, clock }: TokenContext,
  token: string,
): Promise<Readonly<Record<string, unknown>> | string> {
  try {
    const { payload } = await jwtVerify(token, keys.publicKey, {
      algorithms: ['RS256'],
      issuer: origins.issuer,
      audience: [...origins.audiences],
      requiredClaims: ['exp', 'iat', 'sub', 'azp'],
      currentDate: new Date(clock.now()),
    });
    return hasCanonicalSignature(token) ? payload : invalidSignature;
  } catch (error) {
    return reasonOf(error);
  }
}

const invalidSignature = 'Invalid signature received for JSON Web Token validation';

/**
 * The last character of a signature in base64url has bits that a decoder ignores, so several texts are one signature.
 * Only the text that an encoder writes is accepted (RFC 4648, 3.5).
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'Expired token received for JSON Web Token validation';
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalidSignature;
  if (error instanceof errors.JWTClaimValidationFailed) return `Invalid token: claim ${error.claim}`;
  return 'Invalid token';
}

function ownerOf(context: TokenContext, { azp, sub }: Readonly<Record<string, unknown>>): TokenClient | undefined {
  return typeof azp === 'string' && sub === `${azp}@clients` ? context.client(azp) : undefined;
}

function unauthorized(message: string): Authenticated {
  return { refusal: errorResponse(401, message, { attributes: { error: message } }, { 'WWW-Authenticate': 'Bearer' }) };
}
