/**
 * APIs are listed in the order of the seed (public facts 2b.2: by creation). Without a section in the seed, every API
 * and every permission exists, so no list of them would be true, and a service without these operations is played
 * (docs/internals/adr/0026-apis-and-their-permissions.md).
 */

import { createHash } from 'node:crypto';
import { shape } from '../../contract/shape.ts';
import type {
  RouteResponse,
  SeedProblem,
  TenantResource,
  TenantRoute,
  TenantStore,
} from '../../model/tenant-resource.ts';
import {
  getResourceServer,
  listResourceServers,
  updateResourceServer,
} from '../../service/resource-servers/operations.ts';
import { validateSeed } from '../../service/resource-servers/seed-validators.generated.ts';
import type * as types from '../../service/resource-servers/types.generated.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { tried } from '../../values/tried.ts';
import { numberedPage } from '../items/pages.ts';
import { badBody, refused } from '../refused.ts';
import { roleStore } from './role-store.ts';

type StoredServer = types.SeededResourceServer & Required<Pick<types.SeededResourceServer, 'id'>>;

export interface ResourceServerStore extends TenantStore {
  /** Null if the seed has no such section: then every API and every permission exists. */
  readonly all: readonly StoredServer[] | null;
  find(identifier: string): StoredServer | undefined;
  put(server: StoredServer): void;
}

const list: TenantRoute<ResourceServerStore, unknown, types.ListResourceServersQuery> = {
  operation: listResourceServers,
  respond({ query }, { store }) {
    if (store.all === null) return notServed;
    const { identifiers } = query;
    const selected = store.all.filter(({ identifier }) => identifiers?.includes(identifier) ?? true);
    return { status: 200, body: numberedPage(listResourceServers.paging, selected.map(liveServer), query) };
  },
};

const get: TenantRoute<ResourceServerStore, types.ResourceServerParams> = {
  operation: getResourceServer,
  respond({ params: { id } }, { store }) {
    if (store.all === null) return notServed;
    const server = named(store.all, id);
    return server === undefined ? missing : { status: 200, body: liveServer(server) };
  },
};

const update: TenantRoute<ResourceServerStore, types.ResourceServerParams, never, types.PatchResourceServerBody> = {
  operation: updateResourceServer,
  respond({ params: { id }, body }, { store, stores }) {
    if (store.all === null) return notServed;
    const server = named(store.all, id);
    if (server === undefined) return missing;
    if (server.is_system) return systemApi;
    if (repeatedScopes(body, 0).length > 0) return repeatedScope;
    const changed = { ...server, ...body };
    const left = new Set(changed.scopes?.map(({ value }) => value));
    const removed = new Set(server.scopes?.map(({ value }) => value).filter((value) => !left.has(value)));
    store.put(changed);
    // What roles keep of a removed scope is not public; that they lose it is assumed (public facts 2b.4).
    const roles = stores.get(roleStore);
    for (const { permissions, ...role } of roles.all) {
      const kept = permissions?.filter(
        ({ resource_server_identifier: api, permission_name: name }) => api !== server.identifier || !removed.has(name),
      );
      if (kept !== undefined) roles.put({ ...role, permissions: kept });
    }
    return { status: 200, body: liveServer(changed) };
  },
};

export const resourceServersTenant: TenantResource<types.SeededResourceServers, ResourceServerStore> = {
  section: 'resource_servers',
  seed: {
    ...shape<types.SeededResourceServers>('resource-servers.schema.json#/$defs/seed', validateSeed),
    identity: 'identifier',
    check: (section) => section.flatMap(repeatedScopes),
  },
  openStore(section) {
    const servers = section?.map((server) => ({ ...server, id: server.id ?? idFor(server.identifier) }));
    const byIdentifier = new Map(servers?.map((server) => [server.identifier, server]));
    return {
      get all() {
        return servers === undefined ? null : [...byIdentifier.values()];
      },
      find: (identifier) => byIdentifier.get(identifier),
      put: (server) => void byIdentifier.set(server.identifier, server),
      snapshot: () => (servers === undefined ? undefined : [...byIdentifier.values()]),
    };
  },
  routes: [list, get, update],
};

/** What a service responds that does not have the operation: the router's own refusal of an unknown path. */
const notServed: RouteResponse = { status: 404, message: 'Not Found' };

const missing = refused(404, 'inexistent_resource_server', 'The resource server does not exist');

/** The status is a public fact (2b.4); the message is assumed. */
const systemApi = refused(400, 'invalid_body', 'System resource servers cannot be patched.');

/** Assumed: not public. */
const repeatedScope = badBody("'Another scope has the same value' on property scopes");

/** An API by its id or its identifier. Identifiers that are encoded twice are accepted as well (public facts 2b.2). */
function named(servers: readonly StoredServer[], name: string): StoredServer | undefined {
  const names = new Set([name, tried(() => decodeURIComponent(name))]);
  return servers.find(({ id, identifier }) => names.has(id) || names.has(identifier));
}

/** The full object (public facts 2b.3). `signing_secret` is a part of lists and objects, as it is of recorded ones. */
function liveServer(server: StoredServer): object {
  return {
    allow_offline_access: false,
    skip_consent_for_verifiable_first_party_clients: false,
    subject_type_authorization: { user: { policy: 'allow_all' }, client: { policy: 'require_client_grant' } },
    token_lifetime: 86_400,
    token_lifetime_for_web: 7200,
    signing_alg: 'RS256',
    ...server,
  };
}

/** 24 hexadecimal digits, the same for every start of the same seed. */
function idFor(identifier: string): string {
  return createHash('sha256').update(`resource_servers ${identifier}`).digest('hex').slice(0, 24);
}

function repeatedScopes({ scopes = [] }: Pick<types.PatchResourceServerBody, 'scopes'>, server: number): SeedProblem[] {
  const seen = new Set<string>();
  return scopes.flatMap(({ value }, index) => {
    const isRepeat = seen.has(value);
    seen.add(value);
    const pointer = jsonPointer(server, 'scopes', index, 'value');
    return isRepeat ? [{ pointer, rule: 'Another scope has the same value' }] : [];
  });
}
