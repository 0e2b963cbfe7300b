import type { TenantResource } from '../model/tenant-resource.ts';
import { eventStreamsTenant } from './event-streams/tenant.ts';
import { promptsTenant } from './prompts/tenant.ts';
import { rateLimitPoliciesTenant } from './rate-limit-policies/tenant.ts';
import { resourceServersTenant } from './resource-servers/tenant.ts';
import { rolesTenant } from './roles/tenant.ts';

/** What the embedded tenant serves. Separate from the list of kinds, so that it shares no code with what it checks. */
export const tenantResources: readonly TenantResource[] = [
  eventStreamsTenant,
  promptsTenant,
  rateLimitPoliciesTenant,
  resourceServersTenant,
  rolesTenant,
];
