import type { TenantPart } from '../model/tenant-resource.ts';
import { eventStreamsTenant } from './event-streams/tenant.ts';
import { promptsTenant } from './prompts/tenant.ts';
import { rateLimitPoliciesTenant } from './rate-limit-policies/tenant.ts';
import { rolesTenant } from './roles/tenant.ts';

/** How the embedded tenant answers for each kind. Apart from the list of kinds, so that the fake shares no code with what it checks. */
export const tenantParts: readonly TenantPart[] = [
  eventStreamsTenant,
  promptsTenant,
  rateLimitPoliciesTenant,
  rolesTenant,
];
