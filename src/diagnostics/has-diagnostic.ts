import type { Diagnostic } from '../model/diagnostic.ts';

/** True for an error that explains itself to people; any other one is internal. */
export function hasDiagnostic(error: unknown): error is Error & { readonly diagnostic: Diagnostic } {
  return error instanceof Error && 'diagnostic' in error;
}
