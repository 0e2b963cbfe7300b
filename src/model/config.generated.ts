// Generated from schemas/config.schema.json by npm run generate.

import type { AttackProtectionSection } from '../service/attack-protection/types.generated.ts';
import type { ClientGrantsSection } from '../service/client-grants/types.generated.ts';
import type { ClientsSection } from '../service/clients/types.generated.ts';
import type { ConnectionsSection } from '../service/connections/types.generated.ts';
import type { EventStreamsSection } from '../service/event-streams/types.generated.ts';
import type { PromptsSection } from '../service/prompts/types.generated.ts';
import type { RateLimitPoliciesSection } from '../service/rate-limit-policies/types.generated.ts';
import type { ResourceServersSection } from '../service/resource-servers/types.generated.ts';
import type { RolesSection } from '../service/roles/types.generated.ts';
import type { TenantHeader } from './tenant.generated.ts';

/**
 * One file of a tenant folder. An absent key is unmanaged, a present one is the complete truth.
 */
export interface ConfigFile {
  tenant?: TenantHeader;
  attack_protection?: AttackProtectionSection;
  client_grants?: ClientGrantsSection;
  clients?: ClientsSection;
  connections?: ConnectionsSection;
  event_streams?: EventStreamsSection;
  prompts?: PromptsSection;
  rate_limit_policies?: RateLimitPoliciesSection;
  resource_servers?: ResourceServersSection;
  roles?: RolesSection;
}
