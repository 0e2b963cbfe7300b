/**
 * The clients to which the tenant issues tokens: a section of the seed like that of a resource, but without operations.
 */

import { validateCredentials } from '../../contract/credentials.generated.ts';
import { knownScopes } from '../../contract/known-words.ts';
import { readPublicKey } from '../../contract/pem-keys.ts';
import { shape } from '../../contract/shape.ts';
import type { SeededClient, SeededClients } from '../../model/credentials.generated.ts';
import type { SeedProblem, TenantResource } from '../../model/tenant-resource.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { type ClientStore, clientStore } from '../kinds/client-store.ts';

/** Clients may have any scope of the service, and those of the operations of these resources. */
export function clientsOf(resources: readonly TenantResource[]): TenantResource<SeededClients, ClientStore> {
  const served = resources.flatMap(({ routes }) => routes.map(({ operation }) => operation.scope));
  const scopes = new Set([...knownScopes, ...served]);
  return {
    ...clientStore,
    seed: {
      ...shape<SeededClients>('credentials.schema.json', validateCredentials),
      identity: 'client_id',
      check: (clients) => [...unknownScopes(clients, scopes), ...clients.flatMap(unusableKeys)],
    },
    routes: [],
  };
}

/** A client authenticates in one way, as in the service, and no private key is kept here. */
function unusableKeys({ client_secret, public_keys }: SeededClient, index: number): readonly SeedProblem[] {
  if ((client_secret === undefined) === (public_keys === undefined))
    return [{ pointer: jsonPointer(index), rule: 'Expected either client_secret or public_keys' }];
  return (public_keys ?? []).flatMap((pem, at) => {
    const key = readPublicKey(pem);
    return 'why' in key ? [{ pointer: jsonPointer(index, 'public_keys', at), rule: `Unusable key: ${key.why}` }] : [];
  });
}

/** A misspelt scope would otherwise be noticed only as a 403, much later. */
function unknownScopes(clients: SeededClients, scopes: ReadonlySet<string>): readonly SeedProblem[] {
  return clients.flatMap((client, index) =>
    client.scopes.flatMap((scope, at) =>
      scopes.has(scope)
        ? []
        : [{ pointer: jsonPointer(index, 'scopes', at), rule: `${scope} is not a scope of the service` }],
    ),
  );
}
