// Generated from schemas/plans.schema.json by npm run generate.

/**
 * The index of a folder with the saved plans of several tenants, each in a file of the tenant's name.
 */
export interface Plans {
  format_version: '2.0';
  tool: {
    name: string;
    version: string;
  };
  /**
   * In the order of their names.
   */
  plans: IndexedPlan[];
  /**
   * SHA-256 over canonical JSON of the list.
   */
  digest: string;
}
export interface IndexedPlan {
  tenant: string;
  /**
   * Null if no plan could be made.
   */
  digest: string | null;
}
