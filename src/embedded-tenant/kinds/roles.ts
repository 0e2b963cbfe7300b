import { shape } from '../../contract/shape.ts';
import type { Operation } from '../../model/operation.ts';
import type { RouteResponse, Stores, TenantRequest, TenantResource, TenantRoute } from '../../model/tenant-resource.ts';
import { listRoleGroups, listRoleUsers } from '../../service/role-holders/operations.ts';
import type {
  ListRoleGroupsQuery,
  ListRoleUsersQuery,
  RoleParams,
} from '../../service/role-holders/types.generated.ts';
import { description } from '../../service/roles/description.generated.ts';
import { validateSeed } from '../../service/roles/seed-validators.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { orderItems } from '../../values/ordered-items.ts';
import { compareText } from '../../values/text-order.ts';
import type { Behavior, SetBehavior, Write } from '../items/behavior.ts';
import type { Item, ItemStore } from '../items/item-store.ts';
import { listAt, omit } from '../items/item-values.ts';
import { numberedPage } from '../items/pages.ts';
import { servedList } from '../items/serve-list.ts';
import { badBody, badQuery, refused } from '../refused.ts';
import { apiOf } from './resource-servers.ts';

/** The message of GET /roles/{id} is a public fact (2.3); that it is the same for the role's permissions is assumed. */
const missing: RouteResponse = { status: 404, message: 'The role does not exist.' };

const ownerMissing = "'Missing required property: owner_id'";

const permissions: SetBehavior = {
  /** By permission name, as recorded (public facts 2.4). */
  list: (role, { stores }) =>
    distinct(listAt(role, 'permissions'))
      .sort(byText(['permission_name', 'resource_server_identifier']))
      .map((pair) => heldPermission(pair, stores)),
  refuseAdd: (body, { stores }) => unknownPair(pairsIn(body), stores),
  add: (role, body) => ({ ...role, permissions: distinct([...listAt(role, 'permissions'), ...pairsIn(body)]) }),
  // Removing a pair that the role does not have succeeds (public facts 2.4).
  remove(role, body) {
    const removed = new Set(pairsIn(body).map(identity));
    const left = listAt(role, 'permissions').filter((pair) => !removed.has(identity(pair)));
    return { ...role, ...('permissions' in role && { permissions: left }) };
  },
};

const behavior: Behavior = {
  // The service's ids have 16 characters (public facts 2.3).
  newId: (context) => `rol_${context.newId('rol', 4).slice(-16)}`,
  missing,
  missingDelete: missing,
  refuse(write) {
    const { item, body } = write;
    if (item === null && body['type'] === 'organization' && body['owner_id'] === undefined)
      return badBody(ownerMissing);
    return isTaken(write) ? nameInUse : null;
  },
  show: ({ id, name, ...role }) => ({
    ...{ id, name, description: '', type: 'tenant' },
    ...omit(role, ['permissions', 'users', 'groups']),
  }),
  // A description that was not sent is not returned either (public facts 2.3).
  showCreated: ({ description }) => ({ description }),
  refuseList: ({ type, owner_id: owner }) =>
    type === 'organization' && owner === undefined ? badQuery(ownerMissing) : null,
  /** By name, upper case before lower case, as recorded (public facts 2.2). Equal names are ordered by id. */
  order: byText(['name', 'id']),
  // That the filter matches any part of the name is assumed.
  filters: { name_filter: ({ name }, part) => String(name).toLowerCase().includes(String(part).toLowerCase()) },
  sets: { permissions },
};

/** That a name is in use is a public fact (2.1); the message and the code are assumed. */
const nameInUse = refused(409, 'role_conflict', 'The role already exists.');

/** Names are unique within the tenant, and within one organization. That case matters is assumed. */
function isTaken({ item, body, store }: Write): boolean {
  const { id, name, owner_id } = { ...item, ...body };
  return (
    name !== item?.['name'] &&
    store.all.some((role) => role['id'] !== id && role['name'] === name && role['owner_id'] === owner_id)
  );
}

/** A route whose responses are about the role that the path names. */
function ofRole<Query>(
  operation: Operation<RoleParams, Query>,
  respond: (role: Item, request: TenantRequest<RoleParams, Query, unknown>) => RouteResponse,
): TenantRoute<ItemStore, RoleParams, Query> {
  return {
    operation,
    respond(request, { store }) {
      const role = store.find(request.params.id);
      return role === undefined ? missing : respond(role, request);
    },
  };
}

/** Users that numbered pages can show (public facts 2b.5). */
const mostByNumber = 1000;

/** `take` and `from` win over page numbers (public facts 2b.5). */
const listUsers = ofRole<ListRoleUsersQuery>(listRoleUsers, (role, { query }) => {
  if (query.take !== undefined || query.from !== undefined) return pageAt(role, 'users', 'user_id', query);
  const { page = 0, per_page: size = listRoleUsers.paging.defaultTake } = query;
  const users = listAt(role, 'users').toSorted(byText(['user_id']));
  if ((page + 1) * size <= mostByNumber) return { status: 200, body: numberedPage(listRoleUsers.paging, users, query) };
  const message = `Requesting page ${page} exceeds the allowed maximum of ${mostByNumber} records. To fetch results beyond ${mostByNumber}, use the checkpoint pagination method.`;
  return { status: 400, message };
});

const listGroups = ofRole<ListRoleGroupsQuery>(listRoleGroups, (role, { query }) =>
  pageAt(role, 'groups', 'id', query),
);

/** A cursor is the id at which a page starts. */
function pageAt(
  role: Item,
  key: string,
  idField: string,
  { take = 50, from = '' }: ListRoleGroupsQuery,
): RouteResponse {
  const ordered = orderItems(listAt(role, key), (one) => textIn(one, idField));
  const { items, ...next } = ordered.page(from, take, () => true);
  return { status: 200, body: { [key]: items, ...next } };
}

const served = servedList(description, behavior, shape<readonly Item[]>('roles.schema.json#/$defs/seed', validateSeed));

export const rolesTenant: TenantResource<readonly Item[], ItemStore> = {
  ...served,
  routes: [listUsers, listGroups, ...served.routes],
};

/** Names and descriptions come from the API; the name of an API that the seed does not describe is its identifier. */
function heldPermission({ resource_server_identifier, permission_name }: Item, stores: Stores): Item {
  const api = apiOf(stores, String(resource_server_identifier));
  const server = api === 'any' ? undefined : api;
  const description = server?.scopes?.find(({ value }) => value === permission_name)?.description ?? '';
  const resource_server_name = server?.name ?? resource_server_identifier;
  return { permission_name, description, resource_server_name, resource_server_identifier };
}

/** The response for an unknown API is a public fact (2.4); for an unknown permission of a known API it is assumed. */
function unknownPair(pairs: readonly Item[], stores: Stores): RouteResponse | null {
  for (const { resource_server_identifier: api, permission_name: permission } of pairs) {
    const server = apiOf(stores, String(api));
    if (server === 'any') return null;
    if (server === undefined)
      return refused(404, 'inexistent_resource_server', `The resource server does not exist: '${api}'`);
    if (!server.scopes?.some(({ value }) => value === permission)) {
      return badBody(`The permission '${permission}' does not exist on the resource server '${api}'`);
    }
  }
  return null;
}

function pairsIn(body: unknown): readonly Item[] {
  return isRecord(body) ? listAt(body, 'permissions') : [];
}

function distinct(pairs: readonly Item[]): Item[] {
  return [...new Map(pairs.map((pair) => [identity(pair), pair])).values()];
}

function identity({ resource_server_identifier: api, permission_name: name }: Item): string {
  return JSON.stringify([api, name]);
}

/** By the first of these fields in which two items differ. */
function byText(names: readonly string[]): (one: Item, other: Item) => number {
  return (one, other) => {
    const name = names.find((field) => one[field] !== other[field]) ?? '';
    return compareText(textIn(one, name), textIn(other, name));
  };
}

function textIn(item: Item, name: string): string {
  return String(item[name] ?? '');
}
