// Generated from schemas/roles.schema.json by npm run generate.

import type { Absent, RenamedFrom, Unmanaged } from '../../model/item.generated.ts';

/**
 * Id of a role, a segment of a path.
 */
export type RoleId = string;
/**
 * A permission that the API defines.
 */
export type PermissionName = string;
/**
 * Permissions by API: the identifier of the API (resource server), and a list of permission names. A list of pairs means the same.
 */
export type RolePermissions =
  | {
      /**
       * Permissions of the API that is the key.
       */
      [k: string]: PermissionName[];
    }
  | PermissionPair[];
/**
 * Name of the role. It identifies the role, unless an id is declared: then it is a field that is kept as declared.
 */
export type RoleName = string;
/**
 * Kept as declared. A role that is declared by name with a description is created if it is missing.
 */
export type RoleDescription = string;
/**
 * A role, identified by its id, or without one by its name, if the tenant can list roles (api: full).
 */
export type RoleEntry = Declared & Declared1;
export type Declared = {
  [k: string]: unknown;
};
/**
 * Counts from 0 (public facts 2.2).
 */
export type PageNumber = number;
/**
 * Default: 50 (public facts 2.2).
 */
export type PageSize = number;
/**
 * A boolean in a query.
 */
export type Flag = 'true' | 'false';
/**
 * Roles of the tenant, or of one organization (public facts 2.3).
 */
export type RoleType = 'tenant' | 'organization';
/**
 * One page of roles: an object with totals or an array, depending on the query (public facts 2.2).
 */
export type RolePage = RolePageWithTotals | ListedRole[];
export type Count = number;
/**
 * One page of the permissions of a role: an object with totals or an array, depending on the query (public facts 2.4).
 */
export type PermissionPage = PermissionPageWithTotals | HeldPermission[];
/**
 * One page of the users who have a role: an object with totals, an object with a cursor, or an array, depending on the query (public facts 2b.5).
 */
export type RoleUserPage = RoleUserPageWithTotals | RoleUserPageWithCursor | RoleUser[];
/**
 * Section of the embedded tenant's seed.
 */
export type SeededRoles = SeededRole[];
/**
 * Roles and their permissions. Roles that are not listed are left alone and reported; no role is deleted by an omission.
 */
export type RolesSection = RoleEntry[];

/**
 * A permission and the API (resource server) that defines it (service specification 2.4).
 */
export interface PermissionPair {
  /**
   * Identifier of the API (resource server), exactly as the tenant has it.
   */
  resource_server_identifier: string;
  /**
   * A permission that the API defines.
   */
  permission_name: string;
}
export interface Declared1 {
  id?: RoleId;
  name?: RoleName;
  renamed_from?: RenamedFrom;
  description?: RoleDescription;
  permissions?: RolePermissions;
  absent_permissions?: RolePermissions;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
/**
 * A declared role in its canonical form: permissions as lists of pairs.
 */
export interface DeclaredRole {
  id?: RoleId;
  name?: RoleName;
  description?: RoleDescription;
  /**
   * The complete set of permissions of the role. Without this key, the role keeps its permissions.
   */
  permissions?: PermissionPair[];
  /**
   * Permissions that the role must not have.
   */
  absent_permissions?: PermissionPair[];
}
/**
 * Public facts 2.2.
 */
export interface ListRolesQuery {
  page?: PageNumber;
  per_page?: PageSize;
  include_totals?: Flag;
  name_filter?: string;
  type?: RoleType;
  /**
   * Required if type is organization.
   */
  owner_id?: string;
}
/**
 * Public facts 2.4.
 */
export interface ListPermissionsQuery {
  page?: PageNumber;
  per_page?: PageSize;
  include_totals?: Flag;
}
/**
 * A role in a listing; other fields are tolerated (public facts 2.3).
 */
export interface ListedRole {
  id: RoleId;
  name: string;
  /**
   * Absent, null and "" are equivalent.
   */
  description?: string | null;
  /**
   * Default: a role of the tenant.
   */
  type?: string;
  /**
   * The organization of an organization role.
   */
  owner_id?: string | null;
  [k: string]: unknown;
}
export interface RolePageWithTotals {
  roles: ListedRole[];
  start: Count;
  limit: Count;
  total: Count;
  [k: string]: unknown;
}
/**
 * A permission of a role in a listing; other fields are tolerated (public facts 2.4).
 */
export interface HeldPermission {
  resource_server_identifier: string;
  permission_name: string;
  resource_server_name?: string | null;
  description?: string | null;
  [k: string]: unknown;
}
export interface PermissionPageWithTotals {
  permissions: HeldPermission[];
  start: Count;
  limit: Count;
  total: Count;
  [k: string]: unknown;
}
/**
 * Service specification 4.3, public facts 2.1.
 */
export interface RoleParams {
  id: RoleId;
}
/**
 * Permissions to add or remove: at least one (service specification 4.3, public facts 2.4).
 */
export interface PairsBody {
  /**
   * @minItems 1
   */
  permissions: PermissionPair[];
}
/**
 * Response to an add: an object without defined fields (public facts 2.1).
 */
export interface AddedPermissions {
  [k: string]: unknown;
}
/**
 * Public facts 2.3; the type cannot be changed later.
 */
export interface CreateRoleBody {
  name: string;
  description?: string;
  type?: RoleType;
  /**
   * Required if type is organization.
   */
  owner_id?: string;
}
/**
 * Fields that are not sent keep their values (public facts 2.3).
 */
export interface PatchRoleBody {
  name?: string;
  description?: string;
}
/**
 * Response to a delete: an object without defined fields (public facts 2.1).
 */
export interface DeletedRole {
  [k: string]: unknown;
}
/**
 * Numbered pages, or take and from (public facts 2b.5).
 */
export interface ListRoleUsersQuery {
  page?: PageNumber;
  per_page?: PageSize;
  include_totals?: Flag;
  take?: PageSize;
  from?: string;
}
/**
 * A user who has a role; other fields are tolerated (public facts 2b.5).
 */
export interface RoleUser {
  user_id: string;
  email?: string | null;
  name?: string | null;
  picture?: string | null;
  [k: string]: unknown;
}
export interface RoleUserPageWithTotals {
  users: RoleUser[];
  start: Count;
  limit: Count;
  total: Count;
  [k: string]: unknown;
}
export interface RoleUserPageWithCursor {
  users: RoleUser[];
  next?: string;
  [k: string]: unknown;
}
/**
 * Public facts 2b.6.
 */
export interface ListRoleGroupsQuery {
  take?: PageSize;
  from?: string;
}
/**
 * A group that has a role; other fields are tolerated (public facts 2b.6).
 */
export interface RoleGroup {
  id: string;
  name?: string | null;
  [k: string]: unknown;
}
/**
 * One page of the groups that have a role (public facts 2b.6).
 */
export interface RoleGroupPage {
  groups: RoleGroup[];
  next?: string;
  [k: string]: unknown;
}
export interface SeededRole {
  id: RoleId;
  name: string;
  description?: string;
  type?: RoleType;
  /**
   * The organization of an organization role.
   */
  owner_id?: string;
  permissions?: PermissionPair[];
  /**
   * Users who have the role.
   */
  users?: SeededUser[];
  /**
   * Groups that have the role.
   */
  groups?: SeededGroup[];
}
export interface SeededUser {
  user_id: string;
  email?: string;
  name?: string;
  picture?: string;
}
export interface SeededGroup {
  id: string;
  name?: string;
}
