// Generated from schemas/seed.schema.json by npm run generate.

import type { SeededClients } from './credentials.generated.ts';
import type { SeededEventStreams } from '../service/event-streams/types.generated.ts';
import type { SeededPrompts } from '../service/prompts/types.generated.ts';
import type { SeededRateLimitPolicies } from '../service/rate-limit-policies/types.generated.ts';
import type { SeededResourceServers } from '../service/resource-servers/types.generated.ts';
import type { SeededRoles } from '../service/roles/types.generated.ts';

/**
 * State of the embedded tenant: its seed and its state file. Every section is optional.
 */
export interface Seed {
  clients?: SeededClients;
  event_streams?: SeededEventStreams;
  prompts?: SeededPrompts;
  rate_limit_policies?: SeededRateLimitPolicies;
  resource_servers?: SeededResourceServers;
  roles?: SeededRoles;
}
