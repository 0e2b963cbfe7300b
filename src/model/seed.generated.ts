// Generated from schemas/seed.schema.json by npm run generate.

import type { CompleteClient } from '../service/clients/types.generated.ts';
import type { SeededAPIs } from '../service/resource-servers/types.generated.ts';
import type { SeededClient } from './credentials.generated.ts';
import type { SeededClientGrants } from '../service/client-grants/types.generated.ts';
import type { SeededConnections } from '../service/connections/types.generated.ts';
import type { SeededEventStreams } from '../service/event-streams/types.generated.ts';
import type { SeededPrompts } from '../service/prompts/types.generated.ts';
import type { SeededProtections } from '../service/attack-protection/types.generated.ts';
import type { SeededRateLimitPolicies } from '../service/rate-limit-policies/types.generated.ts';
import type { SeededRoles } from '../service/roles/types.generated.ts';

/**
 * State of the embedded tenant: its seed and its state file. Every section is optional.
 */
export interface Seed {
  attack_protection?: SeededProtections;
  client_grants?: SeededClientGrants;
  /**
   * Applications. One with scopes is short for a client that gets tokens with them for this service.
   */
  clients?: (SeededClient | CompleteClient)[];
  connections?: SeededConnections;
  event_streams?: SeededEventStreams;
  prompts?: SeededPrompts;
  rate_limit_policies?: SeededRateLimitPolicies;
  resource_servers?: SeededAPIs;
  roles?: SeededRoles;
}
