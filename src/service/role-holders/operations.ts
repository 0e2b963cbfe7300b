import { byCursor, numbered, published } from '../../contract/operation-rows.ts';
import type { ListOperation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type * as types from './types.generated.ts';

const row = { api: 'full', lifecycle: 'not shown', method: 'GET', success: 200, params: shapes.params } as const;

/** Shows how many users have a role: one page of one user has the total. */
export const listRoleUsers: ListOperation<types.ListRoleUsersQuery, types.RoleUser, types.RoleParams> = {
  ...row,
  id: 'list_role_users',
  path: '/roles/{id}/users',
  summary: 'List the users of a role',
  scope: 'read:users',
  query: { ...shapes.listRoleUsersQuery, integers: ['page', 'per_page', 'take'] },
  response: shapes.roleUserPage,
  item: shapes.roleUser,
  paging: { ...numbered, items: 'users', identity: ['user_id'] },
  basis: published('2b.5', 'that read:users is enough beside read:roles', 'order', 'cursor', 'message of a 404'),
};

/** Shows how many groups have a role, up to the length of a page. */
export const listRoleGroups: ListOperation<types.ListRoleGroupsQuery, types.RoleGroup, types.RoleParams> = {
  ...row,
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
