import type { KeptToken, TokenOwner } from '../../model/client.ts';
import type { Clock } from '../../model/clock.ts';
import type { TokenResponse } from '../../model/token.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { parsedJson } from '../../values/parsed-json.ts';

export interface TokenSource {
  /** Rejects with the error that ends the run. */
  current(): Promise<string>;
  /** The scopes of the current token, as far as they can be read; null when there is no token. */
  scopes(): Promise<ReadonlySet<string> | null>;
  /** Another token than the refused one; null when there is no way to get one. */
  renew(refused: string): Promise<string | null>;
}

export function staticToken(token: string): TokenSource {
  return {
    current: async () => token,
    scopes: async () => grantedScopes(token, undefined),
    renew: async () => null,
  };
}

/** One token for all requests, fetched when it is first needed, and again when it expires or is refused. */
export function clientCredentials(
  request: () => Promise<TokenResponse>,
  clock: Clock,
  kept: KeptToken = { current: null },
): TokenSource {
  let inFlight: Promise<string> | null = null;

  const fetchToken = async (): Promise<string> => {
    const sentAt = clock.now();
    const { access_token: token, scope, expires_in: lifetime } = await request();
    kept.current = { token, scope, until: sentAt + usableMs(lifetime) };
    return token;
  };
  const current = async (): Promise<string> => {
    const { current: cached } = kept;
    if (cached !== null && clock.now() < cached.until) return cached.token;
    inFlight ??= fetchToken().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
  const renew = async (refused: string): Promise<string> => {
    if (kept.current?.token === refused) kept.current = null;
    return current();
  };
  const scopes = () =>
    current().then(
      (token) => grantedScopes(token, kept.current?.scope),
      () => null,
    );
  return { current, scopes, renew };
}

/**
 * Until sixty seconds before it expires, but at least half of its lifetime. Without a lifetime: until it is refused.
 */
function usableMs(expiresIn: number | undefined): number {
  return expiresIn === undefined ? Number.POSITIVE_INFINITY : Math.max(expiresIn - 60, expiresIn / 2) * 1000;
}

/**
 * The scopes of a token: those in the response of the token endpoint, else those in the token's own claims (`scope`,
 * separated by spaces, or a list of `permissions`). Null when neither lists scopes: then only the service knows. A
 * claim of another type, or one without any scope of the form `verb:resource`, is no list of scopes.
 */
export function grantedScopes(token: string, responseScope: string | undefined): ReadonlySet<string> | null {
  if (responseScope !== undefined) return scopesIn(words(responseScope));
  const claims = claimsOf(token);
  const claimed = ['scope', 'permissions'].filter((name) => name in claims).map((name) => listOf(claims[name]));
  return claimed.includes(null) ? null : scopesIn(claimed.flatMap((list) => list ?? []));
}

function scopesIn(list: readonly string[]): ReadonlySet<string> | null {
  return list.some((word) => /^[a-z]+:[a-z_]+$/.test(word)) ? new Set(list) : null;
}

/** A claim as a list; null if it is neither text nor a list of texts. */
function listOf(claim: unknown): readonly string[] | null {
  if (typeof claim === 'string') return words(claim);
  const isList = Array.isArray(claim) && claim.every((item) => typeof item === 'string');
  return isList ? claim : null;
}

/** Whose the current token is, by its own claims. Rejects if there is no token. */
export async function ownerOf(tokens: Pick<TokenSource, 'current'>): Promise<TokenOwner> {
  const { azp, aud } = claimsOf(await tokens.current());
  const apis = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string');
  return { client: typeof azp === 'string' ? azp : null, apis };
}

/** Claims are only read, never verified: the service validates the token. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, payload = '', ...signature] = token.split('.');
  const claims = parsedJson(Buffer.from(payload, 'base64url').toString());
  return isRecord(claims) && signature.length === 1 ? claims : {};
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
