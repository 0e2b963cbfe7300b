const secretNames = new Set(['password', 'token', 'headervalue', 'secret', 'clientsecret']);

/** Names of fields whose value must never be shown, in any spelling: client_secret, client-secret, clientSecret. */
export function isSecretKey(key: string): boolean {
  return key.length <= 32 && secretNames.has(key.replaceAll(/[-_\s]/g, '').toLowerCase());
}
