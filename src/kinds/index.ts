import type { AnyKind } from '../model/kind.ts';
import { attackProtection } from './attack-protection/index.ts';
import { clientGrants } from './client-grants/index.ts';
import { clients } from './clients/index.ts';
import { connections } from './connections/index.ts';
import { eventStreams } from './event-streams/index.ts';
import { prompts } from './prompts/index.ts';
import { rateLimitPolicies } from './rate-limit-policies/index.ts';
import { resourceServers } from './resource-servers/index.ts';
import { roles } from './roles/index.ts';

/** The kinds, in the order in which plans and reports name them. */
export const kinds: readonly AnyKind[] = [
  rateLimitPolicies,
  roles,
  resourceServers,
  clients,
  clientGrants,
  connections,
  attackProtection,
  prompts,
  eventStreams,
];
