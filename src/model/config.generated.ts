// Generated from schemas/config.schema.json by npm run generate.

import type { EventStreamsSection } from '../resources/event-streams/types.generated.ts';
import type { PromptsSection } from '../resources/prompts/types.generated.ts';
import type { RateLimitPoliciesSection } from '../resources/rate-limit-policies/types.generated.ts';
import type { ResourceServersSection } from '../resources/resource-servers/types.generated.ts';
import type { RolesSection } from '../resources/roles/types.generated.ts';
import type { TenantHeader } from './tenant.generated.ts';

/**
 * One file of a tenant folder. An absent key is unmanaged, a present one is the complete truth.
 */
export interface ConfigFile {
  tenant?: TenantHeader;
  event_streams?: EventStreamsSection;
  prompts?: PromptsSection;
  rate_limit_policies?: RateLimitPoliciesSection;
  resource_servers?: ResourceServersSection;
  roles?: RolesSection;
}
