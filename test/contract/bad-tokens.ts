import { Buffer } from 'node:buffer';
import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import type { TenantKeys } from '../../src/embedded-tenant/auth/authenticate.ts';
import { createTenantKeys } from '../../src/embedded-tenant/auth/authenticate.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';

export interface TokenContext {
  readonly origin: string;
  readonly keys: TenantKeys;
  /** A token that is accepted. */
  readonly good: string;
}

export interface BadToken {
  readonly name: string;
  readonly message: string;
  /** The Authorization header; null sends none. */
  header(context: TokenContext): Promise<string | null> | string | null;
}

type Claims = Readonly<Record<string, unknown>>;

const format = 'Bad HTTP authentication header format';
const invalid = 'Invalid token';
const badSignature = 'Invalid signature received for JSON Web Token validation';
const expired = 'Expired token received for JSON Web Token validation';

export const badTokens: readonly BadToken[] = [
  { name: 'no header', message: 'Missing authentication', header: () => null },
  { name: 'an empty header', message: format, header: () => '' },
  { name: 'another scheme', message: format, header: () => `Basic ${Buffer.from('user:password').toString('base64')}` },
  { name: 'a token without its scheme', message: format, header: ({ good }) => good },
  { name: 'a scheme without a token', message: format, header: () => 'Bearer' },
  { name: 'two tokens', message: format, header: ({ good }) => `Bearer ${good} ${good}` },
  { name: 'two headers in one', message: format, header: ({ good }) => `Bearer ${good}, Bearer ${good}` },
  { name: 'no JWT', message: invalid, header: () => 'Bearer secret' },
  { name: 'two parts', message: invalid, header: () => 'Bearer a.b' },
  { name: 'three parts of nonsense', message: invalid, header: () => 'Bearer a.b.c' },
  { name: 'five parts', message: invalid, header: () => 'Bearer a.b.c.d.e' },
  {
    name: 'algorithm none',
    message: invalid,
    header: ({ origin }) => `Bearer ${new UnsecuredJWT({ ...claims(origin) }).encode()}`,
  },
  {
    name: 'algorithm none with a signature',
    message: invalid,
    header: ({ good }) => `Bearer ${withHeader(good, { alg: 'none' })}`,
  },
  {
    name: 'HS256 with the public key as secret',
    message: invalid,
    header: async ({ origin, keys }) => `Bearer ${await hmac(origin, await exportSPKI(keys.publicKey))}`,
  },
  {
    name: 'HS256 with the client secret',
    message: invalid,
    header: async ({ origin }) => `Bearer ${await hmac(origin, testClient.client_secret)}`,
  },
  {
    name: 'RS512 in the header',
    message: invalid,
    header: ({ good }) => `Bearer ${withHeader(good, { alg: 'RS512' })}`,
  },
  {
    name: 'a critical header that is not known',
    message: invalid,
    header: ({ good }) => `Bearer ${withHeader(good, { alg: 'RS256', crit: ['x'], x: 1 })}`,
  },
  {
    name: 'the key of another tenant',
    message: badSignature,
    header: async ({ origin }) => `Bearer ${await signed((await createTenantKeys()).privateKey, claims(origin))}`,
  },
  {
    name: 'a changed payload',
    message: badSignature,
    header: ({ good, origin }) => `Bearer ${withPayload(good, { ...claims(origin), scope: 'read:clients' })}`,
  },
  { name: 'a cut signature', message: badSignature, header: ({ good }) => `Bearer ${good.slice(0, -8)}` },
  {
    name: 'another spelling of the signature, with bits that a decoder ignores',
    message: badSignature,
    header: ({ good }) => `Bearer ${withStrayBits(good)}`,
  },
  { name: 'a signature with padding', message: badSignature, header: ({ good }) => `Bearer ${good}==` },
  {
    name: 'an empty signature',
    message: badSignature,
    header: ({ good }) => `Bearer ${good.split('.').slice(0, 2).join('.')}.`,
  },
  changed('expired', expired, (origin) => ({ ...claims(origin), iat: now() - 100, exp: now() - 1 })),
  changed('expiry left out', 'Invalid token: claim exp', (origin) => without(claims(origin), 'exp')),
  changed('not valid yet', 'Invalid token: claim nbf', (origin) => ({ ...claims(origin), nbf: now() + 1000 })),
  changed('another audience', 'Invalid token: claim aud', (origin) => ({
    ...claims(origin),
    aud: 'https://other.example/api/v2/',
  })),
  changed('the bare audience', 'Invalid token: claim aud', (origin) => ({ ...claims(origin), aud: '/api/v2/' })),
  changed('an audience without its slash', 'Invalid token: claim aud', (origin) => ({
    ...claims(origin),
    aud: `${origin}/api/v2`,
  })),
  changed('an audience of another port', 'Invalid token: claim aud', (origin) => ({
    ...claims(origin),
    aud: 'http://127.0.0.1:1/api/v2/',
  })),
  changed('audience left out', 'Invalid token: claim aud', (origin) => without(claims(origin), 'aud')),
  changed('another issuer', 'Invalid token: claim iss', (origin) => ({
    ...claims(origin),
    iss: 'https://other.example/',
  })),
  changed('issuer left out', 'Invalid token: claim iss', (origin) => without(claims(origin), 'iss')),
  changed('client left out', 'Invalid token: claim azp', (origin) => without(claims(origin), 'azp')),
  changed('an unknown client', 'Unknown client', (origin) => ({
    ...claims(origin),
    azp: 'nobody',
    sub: 'nobody@clients',
  })),
  changed('the subject of another client', 'Unknown client', (origin) => ({ ...claims(origin), sub: 'other@clients' })),
  changed('a client that is not text', 'Unknown client', (origin) => ({ ...claims(origin), azp: 7 })),
  changed('a client that is not global', 'Client is not global', (origin) => ({
    ...claims(origin),
    azp: 'local',
    sub: 'local@clients',
  })),
];

/** Claims that are accepted. */
export function claims(origin: string): Claims {
  const { client_id } = testClient;
  const scope = allScopes.join(' ');
  return {
    iss: `${origin}/`,
    sub: `${client_id}@clients`,
    aud: `${origin}/api/v2/`,
    iat: now(),
    exp: now() + 600,
    azp: client_id,
    gty: 'client-credentials',
    scope,
  };
}

export async function signed(key: TenantKeys['privateKey'], payload: Claims): Promise<string> {
  return new SignJWT({ ...payload }).setProtectedHeader({ alg: 'RS256' }).sign(key);
}

/** Signed by the right key, so only the claim is wrong. */
function changed(name: string, message: string, payload: (origin: string) => Claims): BadToken {
  return {
    name,
    message,
    header: async ({ origin, keys }) => `Bearer ${await signed(keys.privateKey, payload(origin))}`,
  };
}

export async function hmac(origin: string, secret: string): Promise<string> {
  return new SignJWT({ ...claims(origin) }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
}

/** The same bytes: 342 characters carry four bits more than the 256 bytes of a signature. */
export function withStrayBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1];
  return `${token.slice(0, -1)}${last}`;
}

function withHeader(token: string, header: object): string {
  return [encode(header), ...token.split('.').slice(1)].join('.');
}

function withPayload(token: string, payload: Claims): string {
  const [header, , signature] = token.split('.');
  return [header, encode(payload), signature].join('.');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function without(payload: Claims, name: string): Claims {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
