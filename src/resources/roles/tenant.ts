/**
 * Roles are listed in the order of their names, upper case before lower case, and what a role holds in the order of permission
 * names: as recorded (public facts 2.2, 2.4), with the id and the API where names are equal.
 */
import type { TenantAnswer, TenantPart, TenantRoute, TenantTools } from '../../model/tenant-resource.ts';
import { addRolePermissions, listRolePermissions, listRoles, removeRolePermissions } from './operations.ts';
import type {
  HeldPermission,
  ListedRole,
  ListPermissionsQuery,
  ListRolesQuery,
  PairsBody,
  PermissionPair,
  RoleParams,
  SeededRole,
} from './types.generated.ts';

export const rolesTenant: TenantPart<readonly SeededRole[]> = {
  section: 'roles',
  open(section = [], { resourceServers }) {
    const roles = new Map(section.map((role) => [role.id, role]));

    const list: TenantRoute<unknown, ListRolesQuery> = {
      operation: listRoles,
      answer({ query }) {
        if (query.type === 'organization' && query.owner_id === undefined) return ownerMissing;
        const selected = [...roles.values()]
          .filter((role) => isSelected(role, query))
          .sort((a, b) => compareTexts([a.name, a.id], [b.name, b.id]));
        return { status: 200, body: pageBody('roles', selected.map(listedRole), query) };
      },
    };

    const listPermissions: TenantRoute<RoleParams, ListPermissionsQuery> = {
      operation: listRolePermissions,
      answer({ params, query }) {
        const role = roles.get(params.id);
        if (role === undefined) return roleMissing;
        const held = distinct(role.permissions ?? []).sort((a, b) => compareTexts(sortTexts(a), sortTexts(b)));
        const listed = held.map((pair) => heldPermission(pair, resourceServers));
        return { status: 200, body: pageBody('permissions', listed, query) };
      },
    };

    const add: TenantRoute<RoleParams, unknown, PairsBody> = {
      operation: addRolePermissions,
      answer({ params, body }) {
        const role = roles.get(params.id);
        if (role === undefined) return roleMissing;
        const refusal = unknownPair(body.permissions, resourceServers);
        if (refusal !== null) return refusal;
        roles.set(role.id, { ...role, permissions: distinct([...(role.permissions ?? []), ...body.permissions]) });
        return { status: 201, body: {} };
      },
    };

    const remove: TenantRoute<RoleParams, unknown, PairsBody> = {
      operation: removeRolePermissions,
      answer({ params, body }) {
        const role = roles.get(params.id);
        if (role === undefined) return roleMissing;
        const removed = new Set(body.permissions.map(identity));
        // A pair that the role does not hold is no fault: public facts show 204.
        if (role.permissions !== undefined)
          roles.set(role.id, { ...role, permissions: role.permissions.filter((pair) => !removed.has(identity(pair))) });
        return { status: 204 };
      },
    };

    return { routes: [list, listPermissions, add, remove], snapshot: () => [...roles.values()] };
  },
};

type ResourceServers = TenantTools['resourceServers'];

/** The message for GET /roles/{id} is a public fact (2.3); that the permissions of such a role are answered the same is assumed. */
const roleMissing: TenantAnswer = { status: 404, message: 'The role does not exist.' };

const ownerMissing: TenantAnswer = {
  status: 400,
  message: "Query validation error: 'Missing required property: owner_id'.",
  errorCode: 'invalid_query_string',
};

/** Filters combine with AND. That the name may match anywhere is assumed. */
function isSelected(role: SeededRole, { name_filter: part = '', type, owner_id: owner }: ListRolesQuery): boolean {
  const matches = role.name.toLowerCase().includes(part.toLowerCase());
  return (
    matches &&
    (type === undefined || type === (role.type ?? 'tenant')) &&
    (owner === undefined || owner === role.owner_id)
  );
}

/** With totals an object, without them a bare list (public facts 2.2). A page past the end is empty. */
function pageBody(key: string, items: readonly object[], query: ListPermissionsQuery): unknown {
  const limit = query.per_page ?? listRoles.paging.defaultTake;
  const start = (query.page ?? 0) * limit;
  const page = items.slice(start, start + limit);
  return query.include_totals === 'true' ? { [key]: page, start, limit, total: items.length } : page;
}

function listedRole({ id, name, description = '', type = 'tenant', owner_id }: SeededRole): ListedRole {
  return { id, name, description, type, ...(owner_id === undefined ? {} : { owner_id }) };
}

/** Names and descriptions are the API's own; an API that the seed does not describe is called by its identifier. */
function heldPermission(pair: PermissionPair, servers: ResourceServers): HeldPermission {
  const { resource_server_identifier, permission_name } = pair;
  const server = servers?.find(({ identifier }) => identifier === resource_server_identifier);
  const description = server?.scopes.find(({ value }) => value === permission_name)?.description ?? '';
  return {
    permission_name,
    description,
    resource_server_name: server?.name ?? resource_server_identifier,
    resource_server_identifier,
  };
}

/** The answer for an unknown API is a public fact (2.4), the one for an unknown permission of a known API is assumed. */
function unknownPair(pairs: readonly PermissionPair[], servers: ResourceServers): TenantAnswer | null {
  if (servers === null) return null;
  for (const { resource_server_identifier: api, permission_name: permission } of pairs) {
    const server = servers.find(({ identifier }) => identifier === api);
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

function sortTexts(pair: PermissionPair): readonly [string, string] {
  return [pair.permission_name, pair.resource_server_identifier];
}

/** By the first texts, and by the second ones where those are equal. */
function compareTexts(
  [first, second]: readonly [string, string],
  [otherFirst, otherSecond]: readonly [string, string],
): number {
  return order(first, otherFirst) || order(second, otherSecond);
}

function order(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
