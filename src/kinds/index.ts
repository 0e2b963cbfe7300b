import type { AnyKind } from '../model/kind.ts';
import { eventStreams } from './event-streams/index.ts';
import { promptPartials } from './prompt-partials/index.ts';
import { rateLimitPolicies } from './rate-limit-policies/index.ts';
import { rolePermissions } from './role-permissions/index.ts';

/** The kinds, in the order in which plans and reports name them. */
export const kinds: readonly AnyKind[] = [rateLimitPolicies, rolePermissions, promptPartials, eventStreams];
