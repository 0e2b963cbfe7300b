// Generated from schemas/project.schema.json by npm run generate.

import type { ApprovalCode, BaseURL, State } from './tenant.generated.ts';

/**
 * A folder below that of tenant-sync.yaml, with forward slashes.
 */
export type Layer = string;
/**
 * A path; * in the name of a file is a wildcard.
 */
export type IncludedFiles = string;
/**
 * A tenant of the project.
 */
export type NameOfATenant = string;

/**
 * tenant-sync.yaml: several tenants, and the layers that the files of each are made of.
 */
export interface Project {
  /**
   * The tenants by name.
   */
  tenants?: {
    [k: string]: Tenant;
  };
  /**
   * Files with more tenants, relative to this file; * in the name of a file is a wildcard.
   */
  include?: string | IncludedFiles[];
  state?: State;
  /**
   * Refused plans of tenants that a review has approved, by the code that plan prints.
   */
  approvals?: ApprovalOfTenants[];
}
/**
 * A tenant of the project.
 */
export interface Tenant {
  /**
   * Folders relative to tenant-sync.yaml, whose files are merged by identity; later layers win.
   *
   * @minItems 1
   */
  layers: Layer[];
  /**
   * The credentials are in PREFIX_BASE_URL, PREFIX_CLIENT_ID, PREFIX_CLIENT_SECRET and so on; PREFIX_VAR_X replaces TENANT_VAR_X. Default: TENANT_SYNC.
   */
  environment?: string;
  /**
   * Values of ${var:NAME}; they replace those of vars.yaml in the layers.
   */
  variables?: {
    /**
     * The value of a variable.
     */
    [k: string]: string | number | boolean;
  };
  base_url?: BaseURL;
  /**
   * The order of a rollout. Default: 1.
   */
  wave?: number;
}
/**
 * Approves what the code covers, for these tenants and as long as their plans have this code.
 */
export interface ApprovalOfTenants {
  code: ApprovalCode;
  /**
   * Names of tenants of the project.
   *
   * @minItems 1
   */
  tenants: NameOfATenant[];
}
