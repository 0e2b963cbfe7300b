import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import { makeExcerpt } from './make-excerpt.ts';
import { placeOf } from './place-of.ts';
import type { SourceText } from './source-text.ts';

/** What a fault says, before it has a place. */
export interface FaultText {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string;
  readonly severity?: 'error' | 'warning';
}

/** A diagnostic at a half-open range of a text, with its excerpt. */
export function faultAt(source: SourceText, start: number, end: number, fault: FaultText): Diagnostic {
  const place = placeOf(source, start);
  if (source.text === '') return { severity: 'error', ...fault, source: place };
  return { severity: 'error', ...fault, source: place, excerpt: makeExcerpt(source, start, end) };
}
