// Generated from schemas/tenant.schema.json by npm run generate.

import type { UndeclaredItems } from './undeclared.generated.ts';

/**
 * An assertion: must equal TENANT_SYNC_BASE_URL. Ends in /api/v2.
 */
export type BaseURL = string;
/**
 * database: apply requires TENANT_SYNC_STATE_URL, so that its lock and journal are those of every machine. Default: a folder of the machine, if that is not set.
 */
export type State = 'database';
/**
 * Id of a client of the tenant.
 */
export type ClientId = string;
/**
 * 24 hexadecimal digits in lower case, as plan prints them.
 */
export type ApprovalCode = string;

/**
 * The tenant that the folder belongs to, and rules for changing it.
 */
export interface TenantHeader {
  /**
   * Name of the tenant in plans and reports. Default: the host of the base URL.
   */
  name?: string;
  base_url?: BaseURL;
  state?: State;
  /**
   * Operations that may be used. full (default): all operations. documented: only the five operations of the service specification.
   */
  api?: 'documented' | 'full';
  guards?: GuardLimits;
  /**
   * Items that are never deleted, per kind: consumer selectors, role names or ids, identifiers of APIs, prompt names or stream names. * is a wildcard; \* is an asterisk.
   */
  protect?: {
    /**
     * Consumer selectors, role names or ids, identifiers of APIs, prompt names or stream names. * is a wildcard; \* is an asterisk.
     */
    [k: string]: string[];
  };
  undeclared?: UndeclaredItems;
  /**
   * @deprecated
   * Replaced by undeclared. Only the base of a three-way plan may still have it.
   */
  keep_undeclared?: unknown;
  /**
   * Codes of refused plans that are approved, as plan prints them. A code approves exactly the items that the refused plan named, and nothing after they change.
   *
   * @maxItems 1000
   */
  approvals?: ApprovalCode[];
}
/**
 * Limits per kind. For deletions, the larger of the two applies. A plan above a limit is refused until it is approved.
 */
export interface GuardLimits {
  /**
   * Percentage of the live items of a kind that a plan may delete. Default: 30.
   */
  max_delete_percent?: number;
  /**
   * Number of items of a kind that a plan may delete. Default: 3.
   */
  max_delete_count?: number;
  /**
   * Percentage of the live items of a kind that a plan may update or put. Default: no limit.
   */
  max_update_percent?: number;
  /**
   * Ids of clients that plan or apply these files. A plan that leaves one of them without a token is refused. The client of the run counts by itself.
   */
  own_clients?: ClientId[];
}
