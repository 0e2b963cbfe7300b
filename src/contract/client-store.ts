import type { SeededClient, SeededClients } from '../model/clients.generated.ts';
import type { TenantResource, TenantStore } from '../model/tenant-resource.ts';

export interface ClientStore extends TenantStore {
  find(clientId: string): SeededClient | undefined;
  /** False if no token can be issued. */
  hasAny(): boolean;
}

/** The store of the embedded tenant's clients: it issues tokens to them, and a resource returns their names. */
export const clientStore: Pick<TenantResource<SeededClients, ClientStore>, 'section' | 'openStore'> = {
  section: 'clients',
  openStore: (clients) => ({
    find: (clientId) => clients?.find((client) => client.client_id === clientId),
    hasAny: () => clients !== undefined && clients.length > 0,
    snapshot: () => clients,
  }),
};
