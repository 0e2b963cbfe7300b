// Generated from schemas/role-holders.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactRoleGroup, exactRoleUser } from './exact-validators.generated.ts';
import { tolerantRoleGroup, tolerantRoleUser } from './tolerant-validators.generated.ts';
import type { ListRoleGroupsQuery, ListRoleUsersQuery, RoleGroup, RoleGroupPage, RoleParams, RoleUser, RoleUserPage } from './types.generated.ts';
import { validateListRoleGroupsQuery, validateListRoleUsersQuery, validateParams, validateRoleGroup, validateRoleGroupPage, validateRoleUser, validateRoleUserPage } from './validators.generated.ts';

export const shapes = {
  params: shape<RoleParams>('role-holders.schema.json#/$defs/params', validateParams),
  listRoleUsersQuery: shape<ListRoleUsersQuery>('role-holders.schema.json#/$defs/list_role_users_query', validateListRoleUsersQuery),
  roleUser: readShape<RoleUser>('role-holders.schema.json#/$defs/role_user', validateRoleUser, { exact: exactRoleUser, tolerant: tolerantRoleUser }),
  roleUserPage: shape<RoleUserPage>('role-holders.schema.json#/$defs/role_user_page', validateRoleUserPage),
  listRoleGroupsQuery: shape<ListRoleGroupsQuery>('role-holders.schema.json#/$defs/list_role_groups_query', validateListRoleGroupsQuery),
  roleGroup: readShape<RoleGroup>('role-holders.schema.json#/$defs/role_group', validateRoleGroup, { exact: exactRoleGroup, tolerant: tolerantRoleGroup }),
  roleGroupPage: shape<RoleGroupPage>('role-holders.schema.json#/$defs/role_group_page', validateRoleGroupPage),
};
