import type { AnyKind } from '../model/kind.ts';
import { eventStreams } from './event-streams/index.ts';
import { prompts } from './prompts/index.ts';
import { rateLimitPolicies } from './rate-limit-policies/index.ts';
import { resourceServers } from './resource-servers/index.ts';
import { roles } from './roles/index.ts';

/** The kinds, in the order in which plans and reports name them. */
export const kinds: readonly AnyKind[] = [rateLimitPolicies, roles, resourceServers, prompts, eventStreams];
