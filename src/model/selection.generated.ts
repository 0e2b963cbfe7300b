// Generated from schemas/selection.schema.json by npm run generate.

/**
 * The tenants that a run with --results is a part of: all that its options select, also those of other shards.
 */
export interface ResultSelection {
  format_version: '1.0';
  tool: {
    name: string;
    version: string;
  };
  command: 'plan' | 'apply' | 'drift';
  /**
   * Of the project, as reports show it.
   */
  folder: string;
  /**
   * The number of tenants of the project.
   */
  project: number;
  /**
   * In the order of their names.
   */
  tenants: SelectedTenant[];
}
export interface SelectedTenant {
  tenant: string;
  wave: number;
  /**
   * Codes that approve a plan of the tenant.
   */
  approvals: string[];
}
