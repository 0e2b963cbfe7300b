import { readShape, shape } from '../../contract/shape.ts';
import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { exactHeldPermission, exactRole, exactRoleGroup, exactRoleUser } from './exact-validators.generated.ts';
import {
  tolerantHeldPermission,
  tolerantRole,
  tolerantRoleGroup,
  tolerantRoleUser,
} from './tolerant-validators.generated.ts';
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
import {
  validateAdded,
  validateCreateRoleBody,
  validateDeletedRole,
  validateHeldPermission,
  validateListPermissionsQuery,
  validateListRoleGroupsQuery,
  validateListRolesQuery,
  validateListRoleUsersQuery,
  validatePairsBody,
  validatePatchRoleBody,
  validatePermissionPage,
  validateRole,
  validateRoleGroup,
  validateRoleGroupPage,
  validateRolePage,
  validateRoleParams,
  validateRoleUser,
  validateRoleUserPage,
} from './validators.generated.ts';

const schema = 'roles.schema.json#/$defs';
const params = shape<RoleParams>(`${schema}/role_params`, validateRoleParams);
const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const body = { ...shape<PairsBody>(`${schema}/pairs_body`, validatePairsBody), encodings };
const role = readShape<ListedRole>(`${schema}/role`, validateRole, { exact: exactRole, tolerant: tolerantRole });
const heldPermission = readShape<HeldPermission>(`${schema}/held_permission`, validateHeldPermission, {
  exact: exactHeldPermission,
  tolerant: tolerantHeldPermission,
});
const roleUser = readShape<RoleUser>(`${schema}/role_user`, validateRoleUser, {
  exact: exactRoleUser,
  tolerant: tolerantRoleUser,
});
const roleGroup = readShape<RoleGroup>(`${schema}/role_group`, validateRoleGroup, {
  exact: exactRoleGroup,
  tolerant: tolerantRoleGroup,
});
const integers = ['page', 'per_page'];

export const listRoles: ListOperation<ListRolesQuery, ListedRole> = {
  id: 'list_roles',
  api: 'full',
  method: 'GET',
  path: '/roles',
  summary: 'List roles',
  scope: 'read:roles',
  lifecycle: 'not shown',
  query: { ...shape<ListRolesQuery>(`${schema}/list_roles_query`, validateListRolesQuery), integers },
  response: shape<unknown>(`${schema}/role_page`, validateRolePage),
  item: role,
  paging: { style: 'page', items: 'roles', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: ['how name_filter matches', 'message for a missing owner_id'] },
};

export const createRole: Operation<never, never, CreateRoleBody, ListedRole> = {
  id: 'create_role',
  api: 'full',
  method: 'POST',
  path: '/roles',
  summary: 'Create a role',
  scope: 'create:roles',
  lifecycle: 'not shown',
  body: { ...shape<CreateRoleBody>(`${schema}/create_role_body`, validateCreateRoleBody), encodings },
  response: role,
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: ['body of a conflict', 'message for a missing owner_id'] },
};

export const getRole: GetOperation<RoleParams, ListedRole> = {
  id: 'get_role',
  api: 'full',
  method: 'GET',
  path: '/roles/{id}',
  summary: 'Get a role',
  scope: 'read:roles',
  lifecycle: 'not shown',
  params,
  response: role,
  success: 200,
  basis: { source: 'public', section: '2.1', assumed: [] },
};

export const updateRole: Operation<RoleParams, never, PatchRoleBody, ListedRole> = {
  id: 'update_role',
  api: 'full',
  method: 'PATCH',
  path: '/roles/{id}',
  summary: 'Update a role',
  scope: 'update:roles',
  lifecycle: 'not shown',
  params,
  body: { ...shape<PatchRoleBody>(`${schema}/patch_role_body`, validatePatchRoleBody), encodings },
  response: role,
  success: 200,
  basis: {
    source: 'public',
    section: '2.1',
    assumed: ['response for an unknown role', 'response for a name in use', 'an empty description clears it'],
  },
};

export const deleteRole: Operation<RoleParams, never, never, DeletedRole> = {
  id: 'delete_role',
  api: 'full',
  method: 'DELETE',
  path: '/roles/{id}',
  summary: 'Delete a role',
  scope: 'delete:roles',
  lifecycle: 'not shown',
  params,
  response: shape<DeletedRole>(`${schema}/deleted_role`, validateDeletedRole),
  success: 200,
  goneStatus: 404,
  basis: { source: 'public', section: '2.1', assumed: ['deleting a role that has permissions'] },
};

/** Shows how many users have a role: one page of one user has the total. */
export const listRoleUsers: ListOperation<ListRoleUsersQuery, RoleUser, RoleParams> = {
  id: 'list_role_users',
  api: 'full',
  method: 'GET',
  path: '/roles/{id}/users',
  summary: 'List the users of a role',
  scope: 'read:users',
  lifecycle: 'not shown',
  params,
  query: {
    ...shape<ListRoleUsersQuery>(`${schema}/list_role_users_query`, validateListRoleUsersQuery),
    integers: [...integers, 'take'],
  },
  response: shape<unknown>(`${schema}/role_user_page`, validateRoleUserPage),
  item: roleUser,
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
  api: 'full',
  method: 'GET',
  path: '/roles/{id}/groups',
  summary: 'List the groups that have a role',
  scope: 'read:group_roles',
  lifecycle: 'not shown',
  params,
  query: {
    ...shape<ListRoleGroupsQuery>(`${schema}/list_role_groups_query`, validateListRoleGroupsQuery),
    integers: ['take'],
  },
  response: shape<unknown>(`${schema}/role_group_page`, validateRoleGroupPage),
  item: roleGroup,
  paging: { style: 'cursor', items: 'groups', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2b.6', assumed: ['order', 'cursor', 'message of a 404'] },
};

export const listRolePermissions: ListOperation<ListPermissionsQuery, HeldPermission, RoleParams> = {
  id: 'list_role_permissions',
  api: 'full',
  method: 'GET',
  path: '/roles/{id}/permissions',
  summary: 'List the permissions of a role',
  scope: 'read:roles',
  lifecycle: 'not shown',
  params,
  query: { ...shape<ListPermissionsQuery>(`${schema}/list_permissions_query`, validateListPermissionsQuery), integers },
  response: shape<unknown>(`${schema}/permission_page`, validatePermissionPage),
  item: heldPermission,
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
  api: 'full',
  method: 'POST',
  path: '/roles/{id}/permissions',
  summary: 'Add permissions to a role',
  scope: 'update:roles',
  lifecycle: 'not shown',
  params,
  body,
  response: shape<AddedPermissions>(`${schema}/added`, validateAdded),
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
  params,
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
