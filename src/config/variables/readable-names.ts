// Files come with a pull request, and whoever writes them chooses where a value is sent or shown. So they read only
// variables that are meant for them: by a prefix, or because the command line allows the name.
import { matchesWildcard } from '../../values/selector.ts';
import type { Variables } from './variables.ts';

/** Variables that every file may read. */
export const readablePrefix = 'TENANT_VAR_';

/** `credential`: not readable, whatever is allowed. */
export type Readability = 'readable' | 'not_allowed' | 'credential';

/** Whether files may read an environment variable, as a value or as a secret. */
export function readabilityOf(name: string, { env, allowEnv = [] }: Pick<Variables, 'env' | 'allowEnv'>): Readability {
  if (name.startsWith(readablePrefix)) return 'readable';
  if (isCredential(name, env)) return 'credential';
  return allowEnv.some((pattern) => matchesWildcard(pattern, name)) ? 'readable' : 'not_allowed';
}

/**
 * True for the credentials of any tenant: `TENANT_SYNC_…`, every `…_CLIENT_SECRET`, and the client id and the token
 * beside a base URL of a tenant. Some systems ignore the case of names.
 *
 *   ACME_DEV_BASE_URL=https://dev.acme.example/api/v2, ACME_DEV_TOKEN    a credential
 *   CRM_BASE_URL=https://crm.example, CRM_TOKEN                          none
 */
export function isCredential(name: string, env: Variables['env']): boolean {
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
