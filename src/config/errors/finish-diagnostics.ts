import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { sortDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { offsetOf, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Problem } from './problem.ts';

/** All diagnostics, sorted and with excerpts. `reported` comes from kinds, which know places but not texts. */
export function finishDiagnostics(
  problems: readonly Problem[],
  reported: readonly Diagnostic[],
  texts: ReadonlyMap<string, SourceText>,
): readonly Diagnostic[] {
  return sortDiagnostics([...problems.map(placed), ...reported.map((diagnostic) => withExcerpt(diagnostic, texts))]);
}

function placed(problem: Problem): Diagnostic {
  const { at, ...text } = problem;
  if (at === undefined) return { severity: 'error', ...text };
  const { source: file, start, end } = at;
  const excerpt = file.text === '' ? {} : { excerpt: makeExcerpt(file, start, end) };
  return { severity: 'error', ...text, source: sourceOf(at), ...excerpt };
}

function withExcerpt(diagnostic: Diagnostic, texts: ReadonlyMap<string, SourceText>): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}
