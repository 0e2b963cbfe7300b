// Generated from schemas/tenant-result.schema.json by npm run generate.

/**
 * What a run with --results has done with one tenant.
 */
export interface TenantResult {
  format_version: '1.0';
  tool: {
    name: string;
    version: string;
  };
  tenant: string;
  command: 'plan' | 'apply' | 'drift';
  /**
   * The exit code of the tenant.
   */
  code: 0 | 1 | 2 | 3 | 4;
  /**
   * As --format json prints it.
   */
  document: {
    [k: string]: unknown;
  };
  /**
   * Errors and warnings of the document, with what only some formats print.
   */
  diagnostics: ResultDiagnostic[];
}
export interface ResultDiagnostic {
  code: string;
  severity: 'error' | 'warning';
  message: string;
  hint?: string;
  count?: number;
  source?: {
    file: string;
    line: number;
    column: number;
  };
  excerpt?: {
    line: number;
    column: number;
    width: number;
    text: string;
  };
}
