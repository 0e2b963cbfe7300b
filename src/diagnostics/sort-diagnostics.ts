import type { Diagnostic } from '../model/diagnostic.ts';
import { compareText } from '../values/text-order.ts';

/** By file, line, column, code and message, without repetitions; diagnostics without a place come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = diagnostics.toSorted(compareDiagnostics);
  return sorted.filter((diagnostic, index) => {
    const previous = sorted[index - 1];
    return previous === undefined || compareDiagnostics(previous, diagnostic) !== 0;
  });
}

/** By file, line, column, code and message. */
export function compareDiagnostics(left: Diagnostic, right: Diagnostic): number {
  return (
    compareText(left.source?.file ?? '', right.source?.file ?? '') ||
    (left.source?.line ?? 0) - (right.source?.line ?? 0) ||
    (left.source?.column ?? 0) - (right.source?.column ?? 0) ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}
