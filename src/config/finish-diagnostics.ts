import { faultAt } from '../diagnostics/fault-at.ts';
import { makeExcerpt } from '../diagnostics/make-excerpt.ts';
import { offsetOf } from '../diagnostics/place-of.ts';
import { sortDiagnostics } from '../diagnostics/sort-diagnostics.ts';
import type { SourceText } from '../diagnostics/source-text.ts';
import { tokenEnd } from '../diagnostics/token-end.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Fault } from './fault.ts';

/** All that was found, with excerpts and in order. `reported` comes from kinds, which know places but not texts. */
export function finishDiagnostics(
  faults: readonly Fault[],
  reported: readonly Diagnostic[],
  texts: ReadonlyMap<string, SourceText>,
): readonly Diagnostic[] {
  return sortDiagnostics([...faults.map(placed), ...reported.map((diagnostic) => withExcerpt(diagnostic, texts))]);
}

function placed(fault: Fault): Diagnostic {
  const { at, ...text } = fault;
  return at === undefined ? { severity: 'error', ...text } : faultAt(at.source, at.start, at.end, text);
}

function withExcerpt(diagnostic: Diagnostic, texts: ReadonlyMap<string, SourceText>): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}
