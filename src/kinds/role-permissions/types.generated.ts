// Generated from schemas/role-permissions.schema.json by npm run generate.

/**
 * Id of a role, a segment of a path.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "role_id".
 */
export type RoleId = string;
/**
 * Named by id, or by name where roles can be listed.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "declared".
 */
export type DeclaredRole = Declared & Declared1;
export type Declared = {
  [k: string]: unknown;
};
/**
 * What the embedded tenant starts with.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "seed".
 */
export type SeededRoles = SeededRole[];
/**
 * Roles and the permissions that they shall or must not hold.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "section".
 */
export type RolesSection = DeclaredRole[];

/**
 * A permission of a resource server (service specification 2.4).
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "pair".
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
 * Service specification 4.3.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "remove_params".
 */
export interface RemovePermissionsParams {
  id: RoleId;
}
/**
 * Service specification 4.3: at least one pair.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "remove_body".
 */
export interface RemovePermissionsBody {
  /**
   * @minItems 1
   */
  permissions: [PermissionPair, ...PermissionPair[]];
}
export interface SeededRole {
  id: RoleId;
  name: string;
  description?: string;
  permissions?: PermissionPair[];
}
