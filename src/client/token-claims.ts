/**
 * The scopes that a token has, as far as it shows them: in the answer of the token endpoint, else in the token's own claims
 * (`scope`, separated by spaces, or a list of `permissions`). Null when nothing shows them: then only the service can tell.
 */
export async function grantedScopes(token: string, answered: string | undefined): Promise<ReadonlySet<string> | null> {
  if (answered !== undefined) return new Set(words(answered));
  const claims = await claimsOf(token);
  const shown = [
    ...(typeof claims['scope'] === 'string' ? words(claims['scope']) : []),
    ...asTexts(claims['permissions']),
  ];
  return 'scope' in claims || 'permissions' in claims ? new Set(shown) : null;
}

/** When the token ends by its own claim, in milliseconds since the epoch; null when it does not say. */
export async function tokenEnds(token: string): Promise<number | null> {
  const { exp } = await claimsOf(token);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
}

/** Claims are only shown here: it is the service that judges the token. */
async function claimsOf(token: string): Promise<Readonly<Record<string, unknown>>> {
  const { decodeJwt } = await import('jose');
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
