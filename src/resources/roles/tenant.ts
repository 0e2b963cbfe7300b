/**
 * Roles are listed by name, upper case before lower case, and the permissions of a role by permission name, as recorded
 * (public facts 2.2, 2.4). Equal names are ordered by id and by API.
 */
import { shape } from '../../contract/shape.ts';
import type { RouteResponse, TenantResource, TenantRoute, TenantStore } from '../../model/tenant-resource.ts';
import { compareText } from '../../values/text-order.ts';
import { type ResourceServerStore, resourceServersTenant } from '../resource-servers/tenant.ts';
import { addRolePermissions, listRolePermissions, listRoles, removeRolePermissions } from './operations.ts';
import { validateSeed } from './seed-validators.generated.ts';
import type {
  HeldPermission,
  ListedRole,
  ListPermissionsQuery,
  ListRolesQuery,
  PairsBody,
  PermissionPair,
  RoleParams,
  SeededRole,
  SeededRoles,
} from './types.generated.ts';

interface RoleStore extends TenantStore {
  all(): readonly SeededRole[];
  find(id: string): SeededRole | undefined;
  put(role: SeededRole): void;
}

const list: TenantRoute<RoleStore, unknown, ListRolesQuery> = {
  operation: listRoles,
  respond({ query }, { store }) {
    if (query.type === 'organization' && query.owner_id === undefined) return ownerMissing;
    const selected = store
      .all()
      .filter((role) => isSelected(role, query))
      .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
    return { status: 200, body: pageBody('roles', selected.map(listedRole), query) };
  },
};

const listPermissions: TenantRoute<RoleStore, RoleParams, ListPermissionsQuery> = {
  operation: listRolePermissions,
  respond({ params, query }, { store, stores }) {
    const role = store.find(params.id);
    if (role === undefined) return roleMissing;
    const servers = stores.get(resourceServersTenant);
    const listed = distinct(role.permissions ?? [])
      .sort(comparePairs)
      .map((pair) => heldPermission(pair, servers));
    return { status: 200, body: pageBody('permissions', listed, query) };
  },
};

const add: TenantRoute<RoleStore, RoleParams, unknown, PairsBody> = {
  operation: addRolePermissions,
  respond({ params, body }, { store, stores }) {
    const role = store.find(params.id);
    if (role === undefined) return roleMissing;
    const refusal = unknownPair(body.permissions, stores.get(resourceServersTenant));
    if (refusal !== null) return refusal;
    store.put({ ...role, permissions: distinct([...(role.permissions ?? []), ...body.permissions]) });
    return { status: 201, body: {} };
  },
};

const remove: TenantRoute<RoleStore, RoleParams, unknown, PairsBody> = {
  operation: removeRolePermissions,
  respond({ params, body }, { store }) {
    const role = store.find(params.id);
    if (role === undefined) return roleMissing;
    const removed = new Set(body.permissions.map(identity));
    // Removing a pair that the role does not have succeeds (public facts 2.4).
    if (role.permissions !== undefined)
      store.put({ ...role, permissions: role.permissions.filter((pair) => !removed.has(identity(pair))) });
    return { status: 204 };
  },
};

export const rolesTenant: TenantResource<SeededRoles, RoleStore> = {
  section: 'roles',
  seed: { ...shape<SeededRoles>('roles.schema.json#/$defs/seed', validateSeed), identity: 'id' },
  uses: [resourceServersTenant],
  openStore(section = []) {
    const roles = new Map(section.map((role) => [role.id, role]));
    const all = () => [...roles.values()];
    return { all, find: (id) => roles.get(id), put: (role) => void roles.set(role.id, role), snapshot: all };
  },
  routes: [list, listPermissions, add, remove],
};

/** The message of GET /roles/{id} is a public fact (2.3); that it is the same for the role's permissions is assumed. */
const roleMissing: RouteResponse = { status: 404, message: 'The role does not exist.' };

const ownerMissing: RouteResponse = {
  status: 400,
  message: "Query validation error: 'Missing required property: owner_id'.",
  errorCode: 'invalid_query_string',
};

/** Filters combine with AND. That the filter matches any part of the name is assumed. */
function isSelected(role: SeededRole, { name_filter: part = '', type, owner_id: owner }: ListRolesQuery): boolean {
  const matches = role.name.toLowerCase().includes(part.toLowerCase());
  return (
    matches &&
    (type === undefined || type === (role.type ?? 'tenant')) &&
    (owner === undefined || owner === role.owner_id)
  );
}

/** An object with totals, otherwise a bare list (public facts 2.2). A page past the end is empty. */
function pageBody(key: string, items: readonly object[], query: ListPermissionsQuery): unknown {
  const limit = query.per_page ?? listRoles.paging.defaultTake;
  const start = (query.page ?? 0) * limit;
  const page = items.slice(start, start + limit);
  return query.include_totals === 'true' ? { [key]: page, start, limit, total: items.length } : page;
}

function listedRole({ id, name, description = '', type = 'tenant', owner_id }: SeededRole): ListedRole {
  return { id, name, description, type, ...(owner_id === undefined ? {} : { owner_id }) };
}

/** Names and descriptions come from the API; the name of an API that the seed does not describe is its identifier. */
function heldPermission(pair: PermissionPair, servers: ResourceServerStore): HeldPermission {
  const { resource_server_identifier, permission_name } = pair;
  const server = servers.find(resource_server_identifier);
  const description = server?.scopes.find(({ value }) => value === permission_name)?.description ?? '';
  return {
    permission_name,
    description,
    resource_server_name: server?.name ?? resource_server_identifier,
    resource_server_identifier,
  };
}

/** The response for an unknown API is a public fact (2.4); for an unknown permission of a known API it is assumed. */
function unknownPair(pairs: readonly PermissionPair[], servers: ResourceServerStore): RouteResponse | null {
  if (servers.all === null) return null;
  for (const { resource_server_identifier: api, permission_name: permission } of pairs) {
    const server = servers.find(api);
    if (server === undefined)
      return {
        status: 404,
        message: `The resource server does not exist: '${api}'`,
        errorCode: 'inexistent_resource_server',
      };
    if (server.scopes.every(({ value }) => value !== permission)) {
      const message = `Payload validation error: The permission '${permission}' does not exist on the resource server '${api}'.`;
      return { status: 400, message, errorCode: 'invalid_body' };
    }
  }
  return null;
}

function distinct(pairs: readonly PermissionPair[]): PermissionPair[] {
  const byIdentity = new Map<string, PermissionPair>();
  for (const pair of pairs) if (!byIdentity.has(identity(pair))) byIdentity.set(identity(pair), pair);
  return [...byIdentity.values()];
}

function identity(pair: PermissionPair): string {
  return JSON.stringify([pair.resource_server_identifier, pair.permission_name]);
}

function comparePairs(left: PermissionPair, right: PermissionPair): number {
  return (
    compareText(left.permission_name, right.permission_name) ||
    compareText(left.resource_server_identifier, right.resource_server_identifier)
  );
}
