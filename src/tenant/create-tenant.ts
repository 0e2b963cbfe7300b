import { prepareTenant } from './prepare-tenant.ts';
import type { Tenant } from './tenant.ts';
import type { TenantOptions } from './tenant-options.ts';

/** A tenant without a socket; `port` (default 80) is part of its name in tokens and audiences. Throws a TenantSetupError. */
export async function createTenant(options: TenantOptions & { readonly port?: number }): Promise<Tenant> {
  const assemble = await prepareTenant(options);
  return assemble(options.port ?? 80);
}
