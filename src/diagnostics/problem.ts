import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';

/** An error without a place in the files. */
export function problem(code: DiagnosticCode, message: string, hint?: string): Diagnostic {
  return { code, severity: 'error', message, ...(hint === undefined ? {} : { hint }) };
}

export function warning(code: DiagnosticCode, message: string, hint: string): Diagnostic {
  return { code, severity: 'warning', message, hint };
}
