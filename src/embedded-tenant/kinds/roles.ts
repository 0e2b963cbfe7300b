/**
 * Roles are listed by name, upper case before lower case, and the permissions of a role by permission name, as recorded
 * (public facts 2.2, 2.4). Equal names are ordered by id and by API.
 */

import { shape } from '../../contract/shape.ts';
import type { Operation } from '../../model/operation.ts';
import type {
  RouteContext,
  RouteResponse,
  Stores,
  TenantRequest,
  TenantResource,
  TenantRoute,
} from '../../model/tenant-resource.ts';
import * as operations from '../../service/roles/operations.ts';
import { validateSeed } from '../../service/roles/seed-validators.generated.ts';
import type * as types from '../../service/roles/types.generated.ts';
import { orderItems } from '../../values/ordered-items.ts';
import { compareText } from '../../values/text-order.ts';
import { numberedPage } from '../items/pages.ts';
import { badBody, badQuery, refused } from '../refused.ts';
import { apiOf } from './resource-servers.ts';
import { type RoleStore, roleStore } from './role-store.ts';

/** A route whose responses are about the role that the path names. */
function ofRole<Query, Body>(
  operation: Operation<types.RoleParams, Query, Body>,
  respond: (
    role: types.SeededRole,
    request: TenantRequest<types.RoleParams, Query, Body>,
    context: RouteContext<RoleStore>,
  ) => RouteResponse,
): TenantRoute<RoleStore, types.RoleParams, Query, Body> {
  return {
    operation,
    respond(request, context) {
      const role = context.store.find(request.params.id);
      return role === undefined ? roleMissing : respond(role, request, context);
    },
  };
}

const list: TenantRoute<RoleStore, unknown, types.ListRolesQuery> = {
  operation: operations.listRoles,
  respond({ query }, { store }) {
    if (query.type === 'organization' && query.owner_id === undefined) return ownerMissing;
    const selected = store.all
      .filter((role) => isSelected(role, query))
      .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
    return { status: 200, body: numberedPage(operations.listRoles.paging, selected.map(listedRole), query) };
  },
};

const create: TenantRoute<RoleStore, never, never, types.CreateRoleBody> = {
  operation: operations.createRole,
  respond({ body }, { store, newId }) {
    if (body.type === 'organization' && body.owner_id === undefined) return ownerNotSent;
    if (isTaken(store, body)) return nameInUse;
    // The service's ids have 16 characters (public facts 2.3).
    const role = { id: `rol_${newId('rol', 4).slice(-16)}`, ...body };
    store.put(role);
    // A description that was not sent is not returned either (public facts 2.3).
    const { description: _description, ...shown } = listedRole(role);
    return { status: 200, body: body.description === undefined ? shown : listedRole(role) };
  },
};

const get = ofRole(operations.getRole, (role) => ({ status: 200, body: listedRole(role) }));

const update = ofRole(operations.updateRole, (role, { body }, { store }) => {
  const changed = { ...role, ...body };
  if (changed.name !== role.name && isTaken(store, changed)) return nameInUse;
  store.put(changed);
  return { status: 200, body: listedRole(changed) };
});

const removeOne = ofRole(operations.deleteRole, ({ id }, _request, { store }) => {
  store.remove(id);
  return { status: 200, body: {} };
});

/** Users that numbered pages can show (public facts 2b.5). */
const mostByNumber = 1000;

/** `take` and `from` win over page numbers (public facts 2b.5). */
const listUsers = ofRole(operations.listRoleUsers, ({ users: unordered = [] }, { query }) => {
  const users = unordered.toSorted((a, b) => compareText(a.user_id, b.user_id));
  if (query.take !== undefined || query.from !== undefined)
    return pageAt('users', users, ({ user_id: id }) => id, query);
  const { paging } = operations.listRoleUsers;
  const { page = 0, per_page: size = paging.defaultTake } = query;
  return (page + 1) * size > mostByNumber ? tooFar(page) : { status: 200, body: numberedPage(paging, users, query) };
});

const listGroups = ofRole(operations.listRoleGroups, ({ groups = [] }, { query }) =>
  pageAt('groups', groups, ({ id }) => id, query),
);

const listPermissions = ofRole(operations.listRolePermissions, ({ permissions = [] }, { query }, { stores }) => {
  const listed = distinct(permissions)
    .sort(comparePairs)
    .map((pair) => heldPermission(pair, stores));
  return { status: 200, body: numberedPage(operations.listRolePermissions.paging, listed, query) };
});

const add = ofRole(operations.addRolePermissions, (role, { body }, { store, stores }) => {
  const refusal = unknownPair(body.permissions, stores);
  if (refusal !== null) return refusal;
  store.put({ ...role, permissions: distinct([...(role.permissions ?? []), ...body.permissions]) });
  return { status: 201, body: {} };
});

const remove = ofRole(operations.removeRolePermissions, (role, { body }, { store }) => {
  const removed = new Set(body.permissions.map(identity));
  // Removing a pair that the role does not have succeeds (public facts 2.4).
  if (role.permissions !== undefined)
    store.put({ ...role, permissions: role.permissions.filter((pair) => !removed.has(identity(pair))) });
  return { status: 204 };
});

export const rolesTenant: TenantResource<types.SeededRoles, RoleStore> = {
  ...roleStore,
  seed: { ...shape<types.SeededRoles>('roles.schema.json#/$defs/seed', validateSeed), identity: 'id' },
  routes: [list, create, get, update, removeOne, listUsers, listGroups, listPermissions, add, remove],
};

/** The message of GET /roles/{id} is a public fact (2.3); that it is the same for the role's permissions is assumed. */
const roleMissing: RouteResponse = { status: 404, message: 'The role does not exist.' };

const ownerMissing = badQuery("'Missing required property: owner_id'");

const ownerNotSent = badBody("'Missing required property: owner_id'");

/** That a name is in use is a public fact (2.1); the message and the code are assumed. */
const nameInUse = refused(409, 'role_conflict', 'The role already exists.');

function tooFar(page: number): RouteResponse {
  const message = `Requesting page ${page} exceeds the allowed maximum of ${mostByNumber} records. To fetch results beyond ${mostByNumber}, use the checkpoint pagination method.`;
  return { status: 400, message };
}

/** Names are unique within the tenant, and within one organization. That case matters is assumed. */
function isTaken(store: RoleStore, { name, owner_id }: Pick<types.SeededRole, 'name' | 'owner_id'>): boolean {
  return store.all.some((role) => role.name === name && role.owner_id === owner_id);
}

/** A cursor is the id at which a page starts. */
function pageAt<Item>(
  key: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
  { take = 50, from = '' }: types.ListRoleGroupsQuery,
): RouteResponse {
  const ordered = orderItems(items, idOf);
  const { items: found, ...next } = ordered.page(from, take, () => true);
  return { status: 200, body: { [key]: found, ...next } };
}

/** Filters combine with AND. That the filter matches any part of the name is assumed. */
function isSelected(
  role: types.SeededRole,
  { name_filter: part = '', type, owner_id: owner }: types.ListRolesQuery,
): boolean {
  const isOfType = type === undefined || type === (role.type ?? 'tenant');
  const isOfOwner = owner === undefined || owner === role.owner_id;
  return isOfType && isOfOwner && role.name.toLowerCase().includes(part.toLowerCase());
}

function listedRole({ id, name, description = '', type = 'tenant', owner_id }: types.SeededRole): types.ListedRole {
  return { id, name, description, type, ...(owner_id === undefined ? {} : { owner_id }) };
}

/** Names and descriptions come from the API; the name of an API that the seed does not describe is its identifier. */
function heldPermission(pair: types.PermissionPair, stores: Stores): types.HeldPermission {
  const { resource_server_identifier, permission_name } = pair;
  const api = apiOf(stores, resource_server_identifier);
  const server = api === 'any' ? undefined : api;
  const description = server?.scopes?.find(({ value }) => value === permission_name)?.description ?? '';
  const resource_server_name = server?.name ?? resource_server_identifier;
  return { permission_name, description, resource_server_name, resource_server_identifier };
}

/** The response for an unknown API is a public fact (2.4); for an unknown permission of a known API it is assumed. */
function unknownPair(pairs: readonly types.PermissionPair[], stores: Stores): RouteResponse | null {
  for (const { resource_server_identifier: api, permission_name: permission } of pairs) {
    const server = apiOf(stores, api);
    if (server === 'any') return null;
    if (server === undefined)
      return refused(404, 'inexistent_resource_server', `The resource server does not exist: '${api}'`);
    if (!server.scopes?.some(({ value }) => value === permission)) {
      return badBody(`The permission '${permission}' does not exist on the resource server '${api}'`);
    }
  }
  return null;
}

function distinct(pairs: readonly types.PermissionPair[]): types.PermissionPair[] {
  return [...new Map(pairs.map((pair) => [identity(pair), pair])).values()];
}

function identity(pair: types.PermissionPair): string {
  return JSON.stringify([pair.resource_server_identifier, pair.permission_name]);
}

function comparePairs(left: types.PermissionPair, right: types.PermissionPair): number {
  return (
    compareText(left.permission_name, right.permission_name) ||
    compareText(left.resource_server_identifier, right.resource_server_identifier)
  );
}
