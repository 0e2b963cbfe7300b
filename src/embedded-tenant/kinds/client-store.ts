import type { SeededClients } from '../../model/credentials.generated.ts';
import type { TenantResource, TenantStore } from '../../model/tenant-resource.ts';

export interface ClientStore extends TenantStore {
  /** Without any, no token can be issued. */
  readonly all: SeededClients;
}

/** The store of the embedded tenant's clients: it issues tokens to them, and a resource returns their names. */
export const clientStore: Pick<TenantResource<SeededClients, ClientStore>, 'section' | 'openStore'> = {
  section: 'clients',
  openStore: (clients) => ({ all: clients ?? [], snapshot: () => clients }),
};
