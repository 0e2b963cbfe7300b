import { readPrivateKey, type SigningKey } from '../../contract/pem-keys.ts';
import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { ClientCredentials } from '../../model/client.ts';
import type { Clock } from '../../model/clock.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { TokenRequest } from '../../model/token.generated.ts';
import { withoutFinal } from '../../values/line-ends.ts';
import type { Sanitizer } from '../transport/sanitizer.ts';

/** How a client authenticates at the token endpoint. */
export interface ClientAuthentication {
  /** For people. */
  readonly method: string;
  /** For one try of one request: an assertion is accepted once. */
  form(): Promise<Omit<TokenRequest, 'audience'>>;
}

interface AuthUrl {
  readonly authUrl: string;
}

/** Seconds: as long as the SDKs (public facts 5). */
const lifetime = 120;

export function clientAuthentication(
  credentials: ClientCredentials & AuthUrl,
  { clock, sanitizer }: { readonly clock: Clock; readonly sanitizer: Sanitizer },
): ClientAuthentication {
  const { clientId: client_id, clientSecret: client_secret, privateKey } = credentials;
  const client = { grant_type: 'client_credentials', client_id } as const;
  sanitizer.hide(privateKey || client_secret || '');
  if (!privateKey)
    return { method: 'client secret', form: async () => ({ ...client, client_secret: client_secret ?? '' }) };
  const key = readPrivateKey(privateKey);
  if ('why' in key) throw new InternalError(`the private key was not checked: ${key.why}`);
  const form = async () => {
    const client_assertion = await signAssertion(key, credentials, Math.floor(clock.now() / 1000));
    // The signature alone as well: a service may show the claims in another form.
    for (const text of [client_assertion, client_assertion.replace(/.*\./, '')]) sanitizer.hide(text);
    return { ...client, client_assertion, client_assertion_type: tokenEndpoint.assertionType };
  };
  return { method: `private key JWT (${key.algorithm})`, form };
}

/** A JSON Web Token that authenticates the client (RFC 7523; public facts 5). `now` in seconds. */
async function signAssertion(
  { key, algorithm }: SigningKey,
  { clientId, authUrl }: ClientCredentials & AuthUrl,
  now: number,
) {
  // Not needed with a secret or a token.
  const { SignJWT } = await import('jose');
  const audience = `${withoutFinal(new URL(authUrl).href, '/')}/`;
  const claims = { iss: clientId, sub: clientId, aud: audience, jti: crypto.randomUUID() };
  return new SignJWT({ ...claims, iat: now, exp: now + lifetime })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .sign(key);
}
