/**
 * Client assertions (RFC 7523, 3; public facts 5). The algorithm follows from the registered key and never from the
 * assertion. Every claim but `iat` is required, `aud` is one text, and an assertion is accepted once.
 */
import { jwtVerify } from 'jose';
import { readPublicKey } from '../../contract/pem-keys.ts';
import type { TokenClient } from '../kinds/token-clients.ts';
import type { TokenContext } from './authenticate.ts';

/** Longest time between `iat` and `exp`, and how far `iat` and `nbf` may be ahead; in seconds. */
const longestLife = 300;
const clockSkew = 10;
/** In characters. */
const longest = { assertion: 8192, jti: 64 };

/** Whether the assertion authenticates this client, and is used for the first time. It counts as used from now on. */
export async function acceptsAssertion(context: TokenContext, client: TokenClient, assertion: string) {
  if (assertion.length > longest.assertion) return false;
  for (const pem of client.keys) {
    const claims = await verified(context, client.client_id, pem, assertion);
    if (claims !== null) return isFirstUse(context, claims);
  }
  return false;
}

async function verified({ origins, clock }: TokenContext, clientId: string, pem: string, assertion: string) {
  const registered = readPublicKey(pem);
  if ('why' in registered) return null;
  const { payload } = await jwtVerify(assertion, registered.key, {
    algorithms: [registered.algorithm],
    issuer: clientId,
    subject: clientId,
    audience: [...origins.issuers],
    clockTolerance: clockSkew,
    currentDate: new Date(clock.now()),
  }).catch(() => ({ payload: null }));
  return payload;
}

function isFirstUse({ clock, usedAssertions }: TokenContext, claims: Awaited<ReturnType<typeof verified>>): boolean {
  const now = clock.now() / 1000;
  const { iss, aud, jti = '', exp = 0, iat = now } = claims ?? {};
  if (typeof aud !== 'string' || typeof jti !== 'string' || jti === '' || jti.length > longest.jti) return false;
  if (exp <= now || iat > now + clockSkew || exp - Math.min(iat, now) > longestLife) return false;
  for (const [use, end] of usedAssertions) if (end <= now) usedAssertions.delete(use);
  const use = JSON.stringify([iss, jti]);
  if (usedAssertions.has(use)) return false;
  usedAssertions.set(use, exp);
  return true;
}
