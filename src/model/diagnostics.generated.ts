// Generated from schemas/diagnostics.schema.json by npm run generate.

/**
 * Errors and warnings, as --format json prints them.
 */
export interface DiagnosticsDocument {
  format_version: '1.0';
  diagnostics: DiagnosticEntry[];
  summary: {
    errors: number;
    warnings: number;
    files: number;
  };
}
export interface DiagnosticEntry {
  code: string;
  severity: 'error' | 'warning';
  message: string;
  hint: string | null;
  source: {
    file: string;
    line: number;
    column: number;
  } | null;
}
