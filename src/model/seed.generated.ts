// Generated from schemas/seed.schema.json by npm run generate.

import type { SeededClients } from './clients.generated.ts';
import type { SeededEventStreams } from '../resources/event-streams/types.generated.ts';
import type { SeededPolicies } from '../resources/rate-limit-policies/types.generated.ts';
import type { SeededPrompts } from '../resources/prompts/types.generated.ts';
import type { SeededResourceServers } from './resource-servers.generated.ts';
import type { SeededRoles } from '../resources/roles/types.generated.ts';

/**
 * What the embedded tenant starts with, and what it keeps in its state file.
 */
export interface Seed {
  clients?: SeededClients;
  resource_servers?: SeededResourceServers;
  event_streams?: SeededEventStreams;
  prompts?: SeededPrompts;
  rate_limit_policies?: SeededPolicies;
  roles?: SeededRoles;
}
