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
   * The waves of these tenants in their order, with the number of actions of all plans of each.
   */
  waves: IndexedWave[];
  /**
   * SHA-256 over canonical JSON of the list of plans.
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
export interface IndexedWave {
  wave: number;
  actions: number;
}
