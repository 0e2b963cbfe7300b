import type { Clock } from '../model/clock.ts';
import { InternalError } from '../model/internal-error.ts';
import type { TokenAnswer } from '../model/token.generated.ts';
import { grantedScopes } from './token-claims.ts';
import type { TokenResult, TokenSource } from './token-source.ts';

/** One token for everybody, fetched when it is first needed, again when its lifetime ends or when it is refused. */
export function clientCredentials(request: () => Promise<TokenAnswer>, clock: Clock): TokenSource {
  let held: { readonly token: string; readonly scope: string | undefined; readonly until: number } | null = null;
  let inFlight: Promise<TokenResult> | null = null;

  const fetchToken = async (): Promise<TokenResult> => {
    const asked = clock.now();
    try {
      const answer = await request();
      held = { token: answer.access_token, scope: answer.scope, until: asked + usableMs(answer.expires_in) };
      return { ok: true, token: answer.access_token };
    } catch (error) {
      if (error instanceof InternalError) throw error;
      return {
        ok: false,
        error: error instanceof Error ? error : new Error('stopped before there was a token', { cause: error }),
      };
    } finally {
      inFlight = null;
    }
  };
  const fetchOnce = (): Promise<TokenResult> => {
    inFlight ??= fetchToken();
    return inFlight;
  };

  const current = async (): Promise<TokenResult> =>
    held !== null && clock.now() < held.until ? { ok: true, token: held.token } : fetchOnce();
  const renew = async (refused: string): Promise<TokenResult> => {
    if (held?.token === refused) held = null;
    return current();
  };
  const scopes = async () => {
    const result = await current();
    return result.ok ? grantedScopes(result.token, held?.scope) : null;
  };
  return { current, scopes, ends: async () => null, renew };
}

/** Sixty seconds before the end, but a short-lived token is used for half of its life. Without a lifetime: until it is refused. */
function usableMs(expiresIn: number | undefined): number {
  return expiresIn === undefined ? Number.POSITIVE_INFINITY : Math.max(expiresIn - 60, expiresIn / 2) * 1000;
}
