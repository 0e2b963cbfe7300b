// What is a credential, by the name of a field, the form of a text, or the name of an environment variable.

const words =
  /password|passwd|passphrase|secret|token|credential|apikey|accesskey|privatekey|authorization|assertion|signature/;

/**
 * True for a name that suggests a credential, however it is spelled: api_key, clientSecret, X-Auth-Token. For data of
 * unknown shape, where leaving out too much is the smaller mistake.
 */
export function namesCredential(name: string): boolean {
  return words.test(name.replaceAll(/[^A-Za-z]/g, '').toLowerCase());
}

/** True for a text that has the form of a credential: a JSON Web Token, or the value of an Authorization header. */
export function isCredential(text: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text) || /^(?:Bearer|Basic)\s+\S/i.test(text);
}

/** True for a text with a private key in PEM: no value of a tenant is one, except for a secret. */
export function hasPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(text);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that every file may read; none of them is a credential of a tenant. */
export const readablePrefix = 'TENANT_VAR_';

/** A variable for the files of one tenant, `ACME_DEV_VAR_X`, or of all, `TENANT_VAR_X`: no prefix of credentials has `_VAR_`. */
const forFiles = /^[A-Z][A-Z0-9_]*_VAR_/;

/**
 * The variables that a name in the files can mean; the first one that is set counts. `prefix` is that of a tenant of a
 * project.
 *
 *   TENANT_VAR_X for ACME_DEV    ACME_DEV_VAR_X, TENANT_VAR_X
 */
export function variableNames(name: string, prefix: string | undefined): readonly string[] {
  if (prefix === undefined || !name.startsWith(readablePrefix)) return [name];
  return [`${prefix}_VAR_${name.slice(readablePrefix.length)}`, name];
}

/**
 * True for a variable with a credential of any tenant: `TENANT_SYNC_…`, every `…_CLIENT_SECRET`, and the client id, the
 * token and the private key beside a base URL of a tenant. Some systems ignore the case of names.
 *
 *   ACME_DEV_BASE_URL=https://dev.acme.example/api/v2, ACME_DEV_TOKEN    a credential
 *   CRM_BASE_URL=https://crm.example, CRM_TOKEN                          none
 *
 * The environment is searched once, however many names follow.
 */
export function openCredentialNames(env: Environment): (name: string) => boolean {
  let tenantUrls: ReadonlySet<string> | undefined;
  return (name) => {
    if (forFiles.test(name)) return false;
    if (/^TENANT_SYNC_|_CLIENT_SECRET$/i.test(name)) return true;
    const [, prefix] = /^(.+)_(?:TOKEN|CLIENT_ID|PRIVATE_KEY(?:_FILE)?)$/i.exec(name) ?? [];
    if (prefix === undefined) return false;
    tenantUrls ??= tenantUrlNames(env);
    return tenantUrls.has(`${prefix}_BASE_URL`.toUpperCase());
  };
}

/** In capitals. */
function tenantUrlNames(env: Environment): ReadonlySet<string> {
  const names = Object.keys(env).filter((name) => /_BASE_URL$/i.test(name) && /\/api\/v2\/?$/.test(env[name] ?? ''));
  return new Set(names.map((name) => name.toUpperCase()));
}

/** A shorter value of another tenant or service may be a part of other words. */
const shortestForeign = 8;

/** The values of such variables that no output may show: tokens, client secrets and private keys. */
export function secretCredentials(env: Environment): readonly string[] {
  const isCredential = openCredentialNames(env);
  const names = Object.keys(env).filter(
    (name) => /_(?:TOKEN|CLIENT_SECRET|PRIVATE_KEY)$/i.test(name) && isCredential(name),
  );
  return names.flatMap((name) => {
    const value = env[name] ?? '';
    return value.length >= shortestForeign || name.startsWith('TENANT_SYNC_') ? [value] : [];
  });
}

/** What no output may show of the URL of a database: the password as it is written and as it is meant, and all of it. */
export function databaseSecrets(url = ''): readonly string[] {
  const user = /:\/\/[^/@]*?:(.*)@/.exec(url)?.[1] ?? '';
  const query = /[?&]password=([^&#]*)/.exec(url)?.[1] ?? '';
  return [url, ...[user, query].flatMap((written) => [written, decoded(written)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
