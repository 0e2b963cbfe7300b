// Generated from the folders of src/kinds by npm run generate.
import type { TenantResource } from '../../model/tenant-resource.ts';
import { attackProtectionTenant } from './attack-protection.ts';
import { clientGrantsTenant } from './client-grants.ts';
import { clientsTenant } from './clients.ts';
import { connectionsTenant } from './connections.ts';
import { eventStreamsTenant } from './event-streams.ts';
import { promptsTenant } from './prompts.ts';
import { rateLimitPoliciesTenant } from './rate-limit-policies.ts';
import { resourceServersTenant } from './resource-servers.ts';
import { rolesTenant } from './roles.ts';

/** What the embedded tenant serves. Separate from the list of kinds, so that it shares no code with what it checks. */
export const tenantResources: readonly TenantResource[] = [
  attackProtectionTenant,
  clientGrantsTenant,
  clientsTenant,
  connectionsTenant,
  eventStreamsTenant,
  promptsTenant,
  rateLimitPoliciesTenant,
  resourceServersTenant,
  rolesTenant,
];
