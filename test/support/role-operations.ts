import { operationsOf } from '../../src/items/described-kind.ts';
import { listRoleGroups, listRoleUsers } from '../../src/service/role-holders/operations.ts';
import { description } from '../../src/service/roles/description.generated.ts';

export { listRoleGroups, listRoleUsers } from '../../src/service/role-holders/operations.ts';

export const {
  list: listRoles,
  get: getRole,
  create: createRole,
  update: updateRole,
  delete: deleteRole,
} = description.operations;

export const {
  list: listRolePermissions,
  add: addRolePermissions,
  remove: removeRolePermissions,
} = description.resources.permissions.operations;

export const operations = [...operationsOf(description), listRoleUsers, listRoleGroups];
