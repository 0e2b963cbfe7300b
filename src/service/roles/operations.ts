import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type {
  AddedPermissions,
  CreateRoleBody,
  DeletedRole,
  HeldPermission,
  ListedRole,
  ListPermissionsQuery,
  ListRoleGroupsQuery,
  ListRolesQuery,
  ListRoleUsersQuery,
  PairsBody,
  PatchRoleBody,
  RoleGroup,
  RoleParams,
  RoleUser,
} from './types.generated.ts';

const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const body = { ...shapes.pairsBody, encodings };
const integers = ['page', 'per_page'];
const full = { api: 'full', lifecycle: 'not shown' } as const;

export const listRoles: ListOperation<ListRolesQuery, ListedRole> = {
  id: 'list_roles',
  ...full,
  method: 'GET',
  path: '/roles',
  summary: 'List roles',
  scope: 'read:roles',
  query: { ...shapes.listRolesQuery, integers },
  response: shapes.rolePage,
  item: shapes.role,
  paging: { style: 'page', items: 'roles', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: ['how name_filter matches', 'message for a missing owner_id'] },
};

export const createRole: Operation<never, never, CreateRoleBody, ListedRole> = {
  id: 'create_role',
  ...full,
  method: 'POST',
  path: '/roles',
  summary: 'Create a role',
  scope: 'create:roles',
  body: { ...shapes.createRoleBody, encodings },
  response: shapes.role,
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: ['body of a conflict', 'message for a missing owner_id'] },
};

export const getRole: GetOperation<RoleParams, ListedRole> = {
  id: 'get_role',
  ...full,
  method: 'GET',
  path: '/roles/{id}',
  summary: 'Get a role',
  scope: 'read:roles',
  params: shapes.roleParams,
  response: shapes.role,
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: [] },
};

export const updateRole: Operation<RoleParams, never, PatchRoleBody, ListedRole> = {
  id: 'update_role',
  ...full,
  method: 'PATCH',
  path: '/roles/{id}',
  summary: 'Update a role',
  scope: 'update:roles',
  params: shapes.roleParams,
  body: { ...shapes.patchRoleBody, encodings },
  response: shapes.role,
  success: 200,
  basis: {
    source: 'public',
    section: '2.1',
    assumed: ['response for an unknown role', 'response for a name in use', 'an empty description clears it'],
  },
};

export const deleteRole: Operation<RoleParams, never, never, DeletedRole> = {
  id: 'delete_role',
  ...full,
  method: 'DELETE',
  path: '/roles/{id}',
  summary: 'Delete a role',
  scope: 'delete:roles',
  params: shapes.roleParams,
  response: shapes.deletedRole,
  success: 200,
  goneStatus: 404,
  basis: { source: 'public', section: '2.1', assumed: ['deleting a role that has permissions'] },
};

/** Shows how many users have a role: one page of one user has the total. */
export const listRoleUsers: ListOperation<ListRoleUsersQuery, RoleUser, RoleParams> = {
  id: 'list_role_users',
  ...full,
  method: 'GET',
  path: '/roles/{id}/users',
  summary: 'List the users of a role',
  scope: 'read:users',
  params: shapes.roleParams,
  query: {
    ...shapes.listRoleUsersQuery,
    integers: [...integers, 'take'],
  },
  response: shapes.roleUserPage,
  item: shapes.roleUser,
  paging: { style: 'page', items: 'users', identity: ['user_id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: {
    source: 'public',
    section: '2b.5',
    assumed: ['that read:users is enough beside read:roles', 'order', 'cursor', 'message of a 404'],
  },
};

/** Shows how many groups have a role, up to the length of a page. */
export const listRoleGroups: ListOperation<ListRoleGroupsQuery, RoleGroup, RoleParams> = {
  id: 'list_role_groups',
  ...full,
  method: 'GET',
  path: '/roles/{id}/groups',
  summary: 'List the groups that have a role',
  scope: 'read:group_roles',
  params: shapes.roleParams,
  query: {
    ...shapes.listRoleGroupsQuery,
    integers: ['take'],
  },
  response: shapes.roleGroupPage,
  item: shapes.roleGroup,
  paging: { style: 'cursor', items: 'groups', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2b.6', assumed: ['order', 'cursor', 'message of a 404'] },
};

export const listRolePermissions: ListOperation<ListPermissionsQuery, HeldPermission, RoleParams> = {
  id: 'list_role_permissions',
  ...full,
  method: 'GET',
  path: '/roles/{id}/permissions',
  summary: 'List the permissions of a role',
  scope: 'read:roles',
  params: shapes.roleParams,
  query: { ...shapes.listPermissionsQuery, integers },
  response: shapes.permissionPage,
  item: shapes.heldPermission,
  paging: {
    style: 'page',
    items: 'permissions',
    identity: ['resource_server_identifier', 'permission_name'],
    maxTake: 100,
    defaultTake: 50,
  },
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: ['order across APIs', 'message of a 404'] },
};

export const addRolePermissions: Operation<RoleParams, never, PairsBody, AddedPermissions> = {
  id: 'add_role_permissions',
  ...full,
  method: 'POST',
  path: '/roles/{id}/permissions',
  summary: 'Add permissions to a role',
  scope: 'update:roles',
  params: shapes.roleParams,
  body,
  response: shapes.added,
  success: 201,
  basis: {
    source: 'public',
    section: '2.1',
    assumed: [
      'adding a pair that the role already has',
      'response for an unknown permission',
      'message for an unknown role',
      'keys of a form-encoded body',
    ],
  },
};

export const removeRolePermissions: Operation<RoleParams, never, PairsBody> = {
  id: 'remove_role_permissions',
  api: 'documented',
  method: 'DELETE',
  path: '/roles/{id}/permissions',
  summary: 'Remove permissions from a role',
  scope: 'update:roles',
  lifecycle: 'not shown',
  params: shapes.roleParams,
  body,
  success: 204,
  basis: {
    source: 'documented',
    section: '4.3',
    assumed: ['scope', 'success status', 'error responses', 'keys of a form-encoded body'],
  },
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
