import { readShape, shape } from '../../contract/shape.ts';
import type { Encoding, ListOperation, Operation } from '../../model/operation.ts';
import { exactHeldPermission, exactRole } from './exact-validators.generated.ts';
import { tolerantHeldPermission, tolerantRole } from './tolerant-validators.generated.ts';
import type {
  AddedPermissions,
  HeldPermission,
  ListedRole,
  ListPermissionsQuery,
  ListRolesQuery,
  PairsBody,
  RoleParams,
} from './types.generated.ts';
import {
  validateAdded,
  validateHeldPermission,
  validateListPermissionsQuery,
  validateListRolesQuery,
  validatePairsBody,
  validatePermissionPage,
  validateRole,
  validateRolePage,
  validateRoleParams,
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
  listRolePermissions,
  addRolePermissions,
  removeRolePermissions,
];
