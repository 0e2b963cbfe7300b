// Generated from schemas/roles.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive, exactPermissionsLive } from './exact-validators.generated.ts';
import { tolerantLive, tolerantPermissionsLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { AddRolePermissionsBody, AddRolePermissionsResponse, CreateRoleBody, DeleteRoleResponse, LiveRole, LiveRolePermissions, RemoveRolePermissionsBody, RolePage, RoleParams, RolePermissionsPage, RolePermissionsQuery, RoleQuery, UpdateRoleBody } from './types.generated.ts';
import { validateCreateBody, validateDeleteResponse, validateListQuery, validateLive, validatePage, validateParams, validatePermissionsAddBody, validatePermissionsAddResponse, validatePermissionsListQuery, validatePermissionsLive, validatePermissionsPage, validatePermissionsRemoveBody, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('roles.schema.json', validateSection),
  permissionsAddBody: shape<AddRolePermissionsBody>('roles.schema.json#/$defs/permissions_add_body', validatePermissionsAddBody),
  permissionsRemoveBody: shape<RemoveRolePermissionsBody>('roles.schema.json#/$defs/permissions_remove_body', validatePermissionsRemoveBody),
  permissionsAddResponse: shape<AddRolePermissionsResponse>('roles.schema.json#/$defs/permissions_add_response', validatePermissionsAddResponse),
  permissionsLive: readShape<LiveRolePermissions>('roles.schema.json#/$defs/permissions_live', validatePermissionsLive, { exact: exactPermissionsLive, tolerant: tolerantPermissionsLive }),
  permissionsPage: shape<RolePermissionsPage>('roles.schema.json#/$defs/permissions_page', validatePermissionsPage),
  permissionsListQuery: shape<RolePermissionsQuery>('roles.schema.json#/$defs/permissions_list_query', validatePermissionsListQuery),
  createBody: shape<CreateRoleBody>('roles.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateRoleBody>('roles.schema.json#/$defs/update_body', validateUpdateBody),
  deleteResponse: shape<DeleteRoleResponse>('roles.schema.json#/$defs/delete_response', validateDeleteResponse),
  live: readShape<LiveRole>('roles.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<RolePage>('roles.schema.json#/$defs/page', validatePage),
  listQuery: shape<RoleQuery>('roles.schema.json#/$defs/list_query', validateListQuery),
  params: shape<RoleParams>('roles.schema.json#/$defs/params', validateParams),
};
