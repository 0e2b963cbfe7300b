type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that every file may read; none of them is a credential of a tenant. */
export const readablePrefix = 'TENANT_VAR_';

/**
 * True for a variable with a credential of any tenant: `TENANT_SYNC_…`, every `…_CLIENT_SECRET`, and the client id and
 * the token beside a base URL of a tenant. Some systems ignore the case of names.
 *
 *   ACME_DEV_BASE_URL=https://dev.acme.example/api/v2, ACME_DEV_TOKEN    a credential
 *   CRM_BASE_URL=https://crm.example, CRM_TOKEN                          none
 */
export function isCredentialName(name: string, env: Environment): boolean {
  if (name.startsWith(readablePrefix)) return false;
  if (/^TENANT_SYNC_|_CLIENT_SECRET$/i.test(name)) return true;
  const [, prefix] = /^(.+)_(?:TOKEN|CLIENT_ID)$/i.exec(name) ?? [];
  if (prefix === undefined) return false;
  const wanted = `${prefix}_BASE_URL`.toUpperCase();
  return Object.keys(env).some((other) => other.toUpperCase() === wanted && isTenantUrl(env[other]));
}

function isTenantUrl(value: string | undefined): boolean {
  return value !== undefined && /\/api\/v2\/?$/.test(value);
}

/** A shorter value of another tenant or service may be a part of other words. */
const shortestForeign = 8;

/** The values of such variables that no output may show: tokens and client secrets. */
export function secretCredentials(env: Environment): readonly string[] {
  const names = Object.keys(env).filter(
    (name) => /_(?:TOKEN|CLIENT_SECRET)$/i.test(name) && isCredentialName(name, env),
  );
  return names.flatMap((name) => {
    const value = env[name] ?? '';
    return value.length >= shortestForeign || name.startsWith('TENANT_SYNC_') ? [value] : [];
  });
}
