import type { DiagnosticCode } from './codes.generated.ts';

export type { DiagnosticCode } from './codes.generated.ts';

/** A place in a file: path relative to the tenant's folder; line and column count from 1, columns in UTF-16 units. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The line with the error and the part to underline; `column` counts from 1, `width` is in UTF-16 units. */
export interface Excerpt {
  readonly line: number;
  readonly column: number;
  readonly width: number;
  readonly text: string;
}

/** A problem as data. Never contains a secret: excerpts are masked when they are taken. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning';
  /** What is wrong and the rule, in one or two sentences. */
  readonly message: string;
  /** The next step. */
  readonly hint?: string;
  readonly source?: Source;
  readonly excerpt?: Excerpt;
  /** How many problems it represents; by default 1. */
  readonly count?: number;
}
