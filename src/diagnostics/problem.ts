import type { Diagnostic, DiagnosticCode, Source } from '../model/diagnostic.ts';
import { compareText } from '../values/text-order.ts';

/** An error, with its place in the files if it has one. */
export function problem(code: DiagnosticCode, message: string, hint?: string, source?: Source): Diagnostic {
  return { code, severity: 'error', message, ...(hint !== undefined && { hint }), ...(source && { source }) };
}

export function warning(code: DiagnosticCode, message: string, hint?: string, source?: Source): Diagnostic {
  return { ...problem(code, message, hint, source), severity: 'warning' };
}

/** True for an error that explains itself to people; any other one is internal. */
export function hasDiagnostic(error: unknown): error is Error & { readonly diagnostic: Diagnostic } {
  return error instanceof Error && 'diagnostic' in error;
}

/** By file, line, column, code and message, without repetitions; diagnostics without a place come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = diagnostics.toSorted(compareDiagnostics);
  return sorted.filter((diagnostic, index) => {
    const previous = sorted[index - 1];
    return previous === undefined || compareDiagnostics(previous, diagnostic) !== 0;
  });
}

function compareDiagnostics(left: Diagnostic, right: Diagnostic): number {
  return (
    comparePlaces(left.source, right.source) ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}

/** By file, line and column; what has no place comes first. */
export function comparePlaces(left: Source | undefined, right: Source | undefined): number {
  return (
    compareText(left?.file ?? '', right?.file ?? '') ||
    (left?.line ?? 0) - (right?.line ?? 0) ||
    (left?.column ?? 0) - (right?.column ?? 0)
  );
}
