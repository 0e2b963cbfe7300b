// Generated from schemas/seed.schema.json by npm run generate.

import type { SeededClients } from './clients.generated.ts';
import type { SeededEventStreams } from '../resources/event-streams/types.generated.ts';
import type { SeededPolicies } from '../resources/rate-limit-policies/types.generated.ts';
import type { SeededPrompts } from '../resources/prompts/types.generated.ts';
import type { SeededResourceServers } from '../resources/resource-servers/types.generated.ts';
import type { SeededRoles } from '../resources/roles/types.generated.ts';

/**
 * State of the embedded tenant: its seed and its state file. Every section is optional.
 */
export interface Seed {
  clients?: SeededClients;
  event_streams?: SeededEventStreams;
  prompts?: SeededPrompts;
  rate_limit_policies?: SeededPolicies;
  resource_servers?: SeededResourceServers;
  roles?: SeededRoles;
}
