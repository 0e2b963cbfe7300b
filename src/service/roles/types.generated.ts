// Generated from schemas/roles.schema.json by npm run generate.

import type { Absent, RenamedFrom, Unmanaged } from '../../model/item.generated.ts';

/**
 * Identifier of the API (resource server), exactly as the tenant has it.
 */
export type API = string;
/**
 * A permission that the API defines.
 */
export type PermissionName = string;
export type RolePermissionsPage = RolePermissionsPageWithTotals | LiveRolePermissions[];
/**
 * It identifies the role, unless an id is declared. Then it is a field that is kept as declared.
 */
export type RoleName = string;
/**
 * Kept as declared. A role that is declared by name with a description is created if it is missing.
 */
export type RoleDescription = string;
/**
 * A declared role, identified by name or id.
 */
export type DeclaredRole = Declared & Declared1;
export type Declared = {
  [k: string]: unknown;
};
export type RolePage = RolePageWithTotals | LiveRole[];
export type CompleteRole = LiveRole & {
  permissions?: LiveRolePermissions[];
  [k: string]: unknown;
};
/**
 * Section of the embedded tenant's seed.
 */
export type SeededRoles = CompleteRole[];
/**
 * Roles and their permissions. Roles that are not listed are left alone and reported; no role is deleted by an omission.
 */
export type RolesSection = DeclaredRole[];

export interface AddRolePermissionsBody {
  /**
   * @minItems 1
   */
  permissions: {
    resource_server_identifier: API;
    permission_name: PermissionName;
  }[];
}
export interface RemoveRolePermissionsBody {
  /**
   * @minItems 1
   */
  permissions: {
    resource_server_identifier: API;
    permission_name: PermissionName;
  }[];
}
export interface AddRolePermissionsResponse {
  [k: string]: unknown;
}
/**
 * Role permissions as the service returns it; other fields are tolerated.
 */
export interface LiveRolePermissions {
  resource_server_identifier: string;
  permission_name: string;
  resource_server_name?: string | null;
  description?: string | null;
  [k: string]: unknown;
}
export interface RolePermissionsPageWithTotals {
  permissions: LiveRolePermissions[];
  start: number;
  limit: number;
  total: number;
  [k: string]: unknown;
}
export interface RolePermissionsQuery {
  include_totals?: 'true' | 'false';
  page?: number;
  per_page?: number;
}
export interface Declared1 {
  /**
   * The id of the role, in place of its name. The name is then a field like others.
   */
  id?: string;
  name?: RoleName;
  description?: RoleDescription;
  /**
   * The complete set of permissions of the role. Without this key, the role keeps its permissions.
   */
  permissions?:
    | {
        /**
         * Of the API that is the key.
         */
        [k: string]: PermissionName[];
      }
    | {
        resource_server_identifier: API;
        permission_name: PermissionName;
      }[];
  /**
   * Permissions that must not be there.
   */
  absent_permissions?:
    | {
        /**
         * Of the API that is the key.
         */
        [k: string]: PermissionName[];
      }
    | {
        resource_server_identifier: API;
        permission_name: PermissionName;
      }[];
  renamed_from?: RenamedFrom;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface CreateRoleBody {
  name: RoleName;
  description?: RoleDescription;
  owner_id?: string;
  type?: string;
}
export interface UpdateRoleBody {
  name?: RoleName;
  description?: RoleDescription;
}
export interface DeleteRoleResponse {
  [k: string]: unknown;
}
/**
 * Role as the service returns it; other fields are tolerated.
 */
export interface LiveRole {
  id: string;
  name: string;
  description?: string | null;
  owner_id?: string | null;
  type?: string | null;
  [k: string]: unknown;
}
export interface RolePageWithTotals {
  roles: LiveRole[];
  start: number;
  limit: number;
  total: number;
  [k: string]: unknown;
}
export interface RoleQuery {
  name_filter?: string;
  type?: 'tenant' | 'organization';
  owner_id?: string;
  include_totals?: 'true' | 'false';
  page?: number;
  per_page?: number;
}
export interface RoleParams {
  id: string;
}
