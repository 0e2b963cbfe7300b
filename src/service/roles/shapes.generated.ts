// Generated from schemas/roles.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactHeldPermission, exactRole, exactRoleGroup, exactRoleUser } from './exact-validators.generated.ts';
import { tolerantHeldPermission, tolerantRole, tolerantRoleGroup, tolerantRoleUser } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { AddedPermissions, CreateRoleBody, DeletedRole, HeldPermission, ListPermissionsQuery, ListRoleGroupsQuery, ListRoleUsersQuery, ListRolesQuery, ListedRole, PairsBody, PatchRoleBody, PermissionPage, RoleGroup, RoleGroupPage, RolePage, RoleParams, RoleUser, RoleUserPage } from './types.generated.ts';
import { validateAdded, validateCreateRoleBody, validateDeletedRole, validateHeldPermission, validateListPermissionsQuery, validateListRoleGroupsQuery, validateListRoleUsersQuery, validateListRolesQuery, validatePairsBody, validatePatchRoleBody, validatePermissionPage, validateRole, validateRoleGroup, validateRoleGroupPage, validateRolePage, validateRoleParams, validateRoleUser, validateRoleUserPage } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('roles.schema.json', validateSection),
  listRolesQuery: shape<ListRolesQuery>('roles.schema.json#/$defs/list_roles_query', validateListRolesQuery),
  listPermissionsQuery: shape<ListPermissionsQuery>('roles.schema.json#/$defs/list_permissions_query', validateListPermissionsQuery),
  role: readShape<ListedRole>('roles.schema.json#/$defs/role', validateRole, { exact: exactRole, tolerant: tolerantRole }),
  rolePage: shape<RolePage>('roles.schema.json#/$defs/role_page', validateRolePage),
  heldPermission: readShape<HeldPermission>('roles.schema.json#/$defs/held_permission', validateHeldPermission, { exact: exactHeldPermission, tolerant: tolerantHeldPermission }),
  permissionPage: shape<PermissionPage>('roles.schema.json#/$defs/permission_page', validatePermissionPage),
  roleParams: shape<RoleParams>('roles.schema.json#/$defs/role_params', validateRoleParams),
  pairsBody: shape<PairsBody>('roles.schema.json#/$defs/pairs_body', validatePairsBody),
  added: shape<AddedPermissions>('roles.schema.json#/$defs/added', validateAdded),
  createRoleBody: shape<CreateRoleBody>('roles.schema.json#/$defs/create_role_body', validateCreateRoleBody),
  patchRoleBody: shape<PatchRoleBody>('roles.schema.json#/$defs/patch_role_body', validatePatchRoleBody),
  deletedRole: shape<DeletedRole>('roles.schema.json#/$defs/deleted_role', validateDeletedRole),
  listRoleUsersQuery: shape<ListRoleUsersQuery>('roles.schema.json#/$defs/list_role_users_query', validateListRoleUsersQuery),
  roleUser: readShape<RoleUser>('roles.schema.json#/$defs/role_user', validateRoleUser, { exact: exactRoleUser, tolerant: tolerantRoleUser }),
  roleUserPage: shape<RoleUserPage>('roles.schema.json#/$defs/role_user_page', validateRoleUserPage),
  listRoleGroupsQuery: shape<ListRoleGroupsQuery>('roles.schema.json#/$defs/list_role_groups_query', validateListRoleGroupsQuery),
  roleGroup: readShape<RoleGroup>('roles.schema.json#/$defs/role_group', validateRoleGroup, { exact: exactRoleGroup, tolerant: tolerantRoleGroup }),
  roleGroupPage: shape<RoleGroupPage>('roles.schema.json#/$defs/role_group_page', validateRoleGroupPage),
};
