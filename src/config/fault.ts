import type { FaultText } from '../diagnostics/fault-at.ts';
import type { SourceText } from '../diagnostics/source-text.ts';

/** A fault before it becomes a diagnostic: excerpts are taken at the end, when every secret of a file is known. */
export interface Fault extends FaultText {
  readonly at?: Place;
}

/** A half-open range of a text. */
export interface Place {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

export type Report = (fault: Fault) => void;
