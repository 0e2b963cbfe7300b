// Generated from schemas/checks.schema.json by npm run generate.

/**
 * When the workers last checked each tenant of a project.
 */
export interface ChecksDocument {
  format_version: '1.0';
  /**
   * In the order of their names.
   */
  tenants: CheckedTenant[];
}
export interface CheckedTenant {
  tenant: string;
  /**
   * Null if the tenant was never checked.
   */
  last: LastCheck | null;
  /**
   * The first of the checks in a row that found a difference, in UTC; null if the last one that could compare found none.
   */
  differs_since: string | null;
}
export interface LastCheck {
  command: 'drift' | 'plan';
  /**
   * In UTC.
   */
  at: string;
  exit_code: number;
}
