/**
 * The scopes of a token: those in the response of the token endpoint, else those in the token's own claims (`scope`, separated by
 * spaces, or a list of `permissions`). Null when neither shows them: then only the service knows.
 */
export async function grantedScopes(
  token: string,
  responseScope: string | undefined,
): Promise<ReadonlySet<string> | null> {
  if (responseScope !== undefined) return new Set(words(responseScope));
  const claims = await claimsOf(token);
  const scopes = [
    ...(typeof claims['scope'] === 'string' ? words(claims['scope']) : []),
    ...stringsOf(claims['permissions']),
  ];
  return 'scope' in claims || 'permissions' in claims ? new Set(scopes) : null;
}

/** When the token expires by its own claim, in milliseconds since the epoch; null when it has no such claim. */
export async function tokenEnds(token: string): Promise<number | null> {
  const { exp } = await claimsOf(token);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
}

/** Claims are only read, never verified: the service validates the token. */
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

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
