import type { TenantPart } from '../model/tenant-part.ts';
import { eventStreamsTenant } from './event-streams/tenant.ts';
import { promptPartialsTenant } from './prompt-partials/tenant.ts';
import { rateLimitPoliciesTenant } from './rate-limit-policies/tenant.ts';
import { rolePermissionsTenant } from './role-permissions/tenant.ts';

/** How the embedded tenant answers for each kind. Apart from the list of kinds, so that the fake shares no code with what it checks. */
export const tenantParts: readonly TenantPart[] = [
  eventStreamsTenant,
  promptPartialsTenant,
  rateLimitPoliciesTenant,
  rolePermissionsTenant,
];
