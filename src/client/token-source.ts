/** A token, or the error that ends the run. */
export type TokenResult = { readonly ok: true; readonly token: string } | { readonly ok: false; readonly error: Error };

export interface TokenSource {
  current(): Promise<TokenResult>;
  /** Another token than the refused one; null when there is no way to get one. */
  renew(refused: string): Promise<TokenResult | null>;
}

export function staticToken(token: string): TokenSource {
  return { current: async () => ({ ok: true, token }), renew: async () => null };
}
