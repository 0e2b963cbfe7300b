// Generated from schemas/roles.schema.json by npm run generate.

/**
 * Id of a role, a segment of a path.
 */
export type RoleId = string;
/**
 * Named by id, or by name where roles can be listed.
 */
export type DeclaredRole = Declared & Declared1;
export type Declared = {
  [k: string]: unknown;
};
/**
 * Counts from 0 (public facts 2.2).
 */
export type PageNumber = number;
/**
 * 50 where the query does not say (public facts 2.2).
 */
export type PageSize = number;
/**
 * As a query writes it.
 */
export type Flag = 'true' | 'false';
/**
 * Roles of the tenant, or of one organization (public facts 2.3).
 */
export type RoleType = 'tenant' | 'organization';
/**
 * One page of roles, with totals or bare, as the query asked (public facts 2.2).
 */
export type RolePage = RolePageWithTotals | ListedRole[];
export type Count = number;
/**
 * One page of what a role holds, with totals or bare, as the query asked (public facts 2.4).
 */
export type PermissionPage = PermissionPageWithTotals | HeldPermission[];
/**
 * Roles of the tenant, or of one organization (public facts 2.3).
 */
export type RoleType1 = 'tenant' | 'organization';
/**
 * Section of the embedded tenant's seed.
 */
export type SeededRoles = SeededRole[];
/**
 * Roles and the permissions that they shall or must not hold.
 */
export type RolesSection = DeclaredRole[];

/**
 * A permission of a resource server (service specification 2.4).
 */
export interface PermissionPair {
  resource_server_identifier: string;
  permission_name: string;
}
export interface Declared1 {
  id?: RoleId;
  name?: string;
  /**
   * The whole set that the role shall hold.
   */
  permissions?: PermissionPair[];
  /**
   * Pairs that the role must not hold.
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
   * Required where type is organization.
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
 * A role as a listing has it; fields that are not named here may appear (public facts 2.3).
 */
export interface ListedRole {
  id: RoleId;
  name: string;
  /**
   * Absent, null and "" mean the same.
   */
  description?: string | null;
  /**
   * A role without one is a role of the tenant.
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
 * A pair that a role holds, as a listing has it; fields that are not named here may appear (public facts 2.4).
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
 * What is added or removed: at least one pair (service specification 4.3, public facts 2.4).
 */
export interface PairsBody {
  /**
   * @minItems 1
   */
  permissions: PermissionPair[];
}
/**
 * The answer to an add: an object that says nothing (public facts 2.1).
 */
export interface AddedPermissions {
  [k: string]: unknown;
}
export interface SeededRole {
  id: RoleId;
  name: string;
  description?: string;
  type?: RoleType1;
  /**
   * The organization of an organization role.
   */
  owner_id?: string;
  permissions?: PermissionPair[];
}
