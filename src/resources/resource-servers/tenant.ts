import { shape } from '../../contract/shape.ts';
import type { TenantResource, TenantStore } from '../../model/tenant-resource.ts';
import { validateSeed } from './seed-validators.generated.ts';
import type { SeededResourceServer, SeededResourceServers } from './types.generated.ts';

export interface ResourceServerStore extends TenantStore {
  /** Null if the seed has no such section: then every API and every permission exists. */
  readonly all: readonly SeededResourceServer[] | null;
  find(identifier: string): SeededResourceServer | undefined;
}

export const resourceServersTenant: TenantResource<SeededResourceServers, ResourceServerStore> = {
  section: 'resource_servers',
  seed: {
    ...shape<SeededResourceServers>('resource-servers.schema.json#/$defs/seed', validateSeed),
    identity: 'identifier',
  },
  openStore: (section) => ({
    all: section ?? null,
    find: (identifier) => section?.find((server) => server.identifier === identifier),
    snapshot: () => section,
  }),
  routes: [],
};
