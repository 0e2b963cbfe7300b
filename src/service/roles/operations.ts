import { byCursor, itemRows, numbered, published, specified } from '../../contract/operation-rows.ts';
import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type * as types from './types.generated.ts';

const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const body = { ...shapes.pairsBody, encodings };
const integers = ['page', 'per_page'];
const rows = itemRows({
  id: 'role',
  name: 'roles',
  path: '/roles',
  one: 'a role',
  many: 'roles',
  lifecycle: 'not shown',
  params: shapes.roleParams,
});

export const listRoles: ListOperation<types.ListRolesQuery, types.ListedRole> = {
  ...rows.list,
  query: { ...shapes.listRolesQuery, integers },
  response: shapes.rolePage,
  item: shapes.role,
  paging: { ...numbered, items: 'roles', identity: ['id'] },
  basis: published('2.1', 'how name_filter matches', 'message for a missing owner_id'),
};

export const createRole: Operation<never, never, types.CreateRoleBody, types.ListedRole> = {
  ...rows.create,
  success: 200,
  body: { ...shapes.createRoleBody, encodings },
  response: shapes.role,
  basis: published('2.1', 'body of a conflict', 'message for a missing owner_id'),
};

export const getRole: GetOperation<types.RoleParams, types.ListedRole> = {
  ...rows.get,
  response: shapes.role,
  basis: published('2.1'),
};

export const updateRole: Operation<types.RoleParams, never, types.PatchRoleBody, types.ListedRole> = {
  ...rows.update,
  body: { ...shapes.patchRoleBody, encodings },
  response: shapes.role,
  basis: published(
    '2.1',
    'response for an unknown role',
    'response for a name in use',
    'an empty description clears it',
  ),
};

export const deleteRole: Operation<types.RoleParams, never, never, types.DeletedRole> = {
  ...rows.delete,
  response: shapes.deletedRole,
  success: 200,
  goneStatus: 404,
  basis: published('2.1', 'deleting a role that has permissions'),
};

/** Shows how many users have a role: one page of one user has the total. */
export const listRoleUsers: ListOperation<types.ListRoleUsersQuery, types.RoleUser, types.RoleParams> = {
  ...rows.get,
  id: 'list_role_users',
  path: '/roles/{id}/users',
  summary: 'List the users of a role',
  scope: 'read:users',
  query: { ...shapes.listRoleUsersQuery, integers: [...integers, 'take'] },
  response: shapes.roleUserPage,
  item: shapes.roleUser,
  paging: { ...numbered, items: 'users', identity: ['user_id'] },
  basis: published('2b.5', 'that read:users is enough beside read:roles', 'order', 'cursor', 'message of a 404'),
};

/** Shows how many groups have a role, up to the length of a page. */
export const listRoleGroups: ListOperation<types.ListRoleGroupsQuery, types.RoleGroup, types.RoleParams> = {
  ...rows.get,
  id: 'list_role_groups',
  path: '/roles/{id}/groups',
  summary: 'List the groups that have a role',
  scope: 'read:group_roles',
  query: { ...shapes.listRoleGroupsQuery, integers: ['take'] },
  response: shapes.roleGroupPage,
  item: shapes.roleGroup,
  paging: { ...byCursor, items: 'groups', identity: ['id'] },
  basis: published('2b.6', 'order', 'cursor', 'message of a 404'),
};

export const listRolePermissions: ListOperation<types.ListPermissionsQuery, types.HeldPermission, types.RoleParams> = {
  ...rows.get,
  id: 'list_role_permissions',
  path: '/roles/{id}/permissions',
  summary: 'List the permissions of a role',
  query: { ...shapes.listPermissionsQuery, integers },
  response: shapes.permissionPage,
  item: shapes.heldPermission,
  paging: { ...numbered, items: 'permissions', identity: ['resource_server_identifier', 'permission_name'] },
  of: getRole,
  basis: published('2.1', 'order across APIs', 'message of a 404'),
};

export const addRolePermissions: Operation<types.RoleParams, never, types.PairsBody, types.AddedPermissions> = {
  ...rows.update,
  id: 'add_role_permissions',
  method: 'POST',
  path: '/roles/{id}/permissions',
  summary: 'Add permissions to a role',
  body,
  response: shapes.added,
  success: 201,
  basis: published(
    '2.1',
    'adding a pair that the role already has',
    'response for an unknown permission',
    'message for an unknown role',
    'keys of a form-encoded body',
  ),
};

export const removeRolePermissions: Operation<types.RoleParams, never, types.PairsBody> = {
  ...rows.update,
  id: 'remove_role_permissions',
  api: 'documented',
  method: 'DELETE',
  path: '/roles/{id}/permissions',
  summary: 'Remove permissions from a role',
  body,
  success: 204,
  basis: specified('4.3', 'scope', 'success status', 'error responses', 'keys of a form-encoded body'),
};

export const operations: readonly Operation[] = [
  listRoles,
  createRole,
  getRole,
  updateRole,
  deleteRole,
  listRoleUsers,
  listRoleGroups,
  listRolePermissions,
  addRolePermissions,
  removeRolePermissions,
];
