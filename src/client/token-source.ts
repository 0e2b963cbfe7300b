import { grantedScopes, tokenEnds } from './token-claims.ts';

/** A token, or the error that ends the run. */
export type TokenResult = { readonly ok: true; readonly token: string } | { readonly ok: false; readonly error: Error };

export interface TokenSource {
  current(): Promise<TokenResult>;
  /** The scopes of the current token, as far as it shows them; null when there is no token. */
  scopes(): Promise<ReadonlySet<string> | null>;
  /** When there will be no token any more, in milliseconds since the epoch; null when that is not known, or when there is always another. */
  ends(): Promise<number | null>;
  /** Another token than the refused one; null when there is no way to get one. */
  renew(refused: string): Promise<TokenResult | null>;
}

export function staticToken(token: string): TokenSource {
  return {
    current: async () => ({ ok: true, token }),
    scopes: () => grantedScopes(token, undefined),
    ends: () => tokenEnds(token),
    renew: async () => null,
  };
}
