// Generated from the folders of src/kinds by npm run generate.
import type { LazyKind } from '../model/kind.ts';
import { head as rateLimitPolicies } from '../service/rate-limit-policies/head.generated.ts';
import { head as roles } from '../service/roles/head.generated.ts';
import { head as resourceServers } from '../service/resource-servers/head.generated.ts';
import { head as clients } from '../service/clients/head.generated.ts';
import { head as clientGrants } from '../service/client-grants/head.generated.ts';
import { head as connections } from '../service/connections/head.generated.ts';
import { head as attackProtection } from '../service/attack-protection/head.generated.ts';
import { head as prompts } from './prompts/head.ts';
import { head as eventStreams } from '../service/event-streams/head.generated.ts';

export const registry: readonly LazyKind[] = [
  { ...rateLimitPolicies, load: async () => (await import('./rate-limit-policies/index.ts')).rateLimitPolicies },
  { ...roles, load: async () => (await import('./roles/index.ts')).roles },
  { ...resourceServers, load: async () => (await import('./resource-servers/index.ts')).resourceServers },
  { ...clients, load: async () => (await import('./kind-from.ts')).kindFrom((await import('../service/clients/description.generated.ts')).description, await import('./clients/hooks.ts')) },
  { ...clientGrants, load: async () => (await import('./kind-from.ts')).kindFrom((await import('../service/client-grants/description.generated.ts')).description, await import('./client-grants/hooks.ts')) },
  { ...connections, load: async () => (await import('./kind-from.ts')).kindFrom((await import('../service/connections/description.generated.ts')).description) },
  { ...attackProtection, load: async () => (await import('./kind-from.ts')).kindFrom((await import('../service/attack-protection/description.generated.ts')).description) },
  { ...prompts, load: async () => (await import('./prompts/index.ts')).prompts },
  { ...eventStreams, load: async () => (await import('./event-streams/index.ts')).eventStreams },
];
