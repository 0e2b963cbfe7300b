import type { Place } from '../../diagnostics/source-text.ts';
import type { DiagnosticCode } from '../../model/diagnostic.ts';

/** An error or a warning about the files, before it becomes a diagnostic: excerpts are taken when every secret of a file is known. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string;
  /** Default: error. */
  readonly severity?: 'error' | 'warning';
  readonly at?: Place;
}

export type ProblemText = Omit<Problem, 'at'>;

export type Report = (problem: Problem) => void;

/** Stands for a value whose fault has been told, so that no later check tells of it again. */
export const reportedValue = Symbol('a value whose fault has been told');

/** Stands for the value of a key that is itself at fault. */
export const reportedKey = Symbol('the value of a key whose fault has been told');

export function isReported(value: unknown): boolean {
  return value === reportedValue || value === reportedKey;
}
