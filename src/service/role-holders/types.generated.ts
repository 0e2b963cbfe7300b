// Generated from schemas/role-holders.schema.json by npm run generate.

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
export type Count = number;
/**
 * One page of the users who have a role: an object with totals, an object with a cursor, or an array, depending on the query (public facts 2b.5).
 */
export type RoleUserPage = RoleUserPageWithTotals | RoleUserPageWithCursor | RoleUser[];

/**
 * Public facts 2b.5, 2b.6.
 */
export interface RoleParams {
  id: string;
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
