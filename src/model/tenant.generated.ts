// Generated from schemas/tenant.schema.json by npm run generate.

import type { KindName } from './kinds.generated.ts';

/**
 * The tenant that a folder belongs to, and the rules for changing it.
 */
export interface TenantHeader {
  /**
   * What people call the tenant. Default: the host of the base URL.
   */
  name?: string;
  /**
   * An assertion: must equal TENANT_SYNC_BASE_URL. Ends in /api/v2.
   */
  base_url?: string;
  /**
   * The operations that may be used. documented: the five that the service specification shows; full, the default: everything in docs/operations.md.
   */
  api?: 'documented' | 'full';
  guards?: GuardLimits;
  /**
   * Per kind: consumer selectors, role keys, prompt names or stream names that are never deleted; * as wildcard.
   */
  protect?: {
    [k: string]: string[];
  };
  /**
   * Kinds whose undeclared live items are reported and never deleted.
   */
  keep_undeclared?: KindName[];
}
/**
 * The larger of the two limits is the limit, for each kind.
 */
export interface GuardLimits {
  /**
   * Percent of the live items of a kind. Default: 30.
   */
  max_delete_percent?: number;
  /**
   * Items of a kind. Default: 3.
   */
  max_delete_count?: number;
}
