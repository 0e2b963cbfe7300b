import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { sortDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { offsetOf, type Place, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, DiagnosticCode, Excerpt } from '../../model/diagnostic.ts';

/**
 * An error or a warning about the files, before it becomes a diagnostic: excerpts are taken when every secret of a file
 * is known.
 */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string;
  /** Default: error. */
  readonly severity?: 'error' | 'warning';
  readonly at?: Place;
  /** Lines above it that the excerpt also shows. */
  readonly above?: readonly Place[];
}

export type ProblemText = Omit<Problem, 'at' | 'above'>;

export type Report = (problem: Problem) => void;

/** Replaces a value whose problem has been reported, so that no later check reports it again. */
export const reportedValue = Symbol('a value with a reported problem');

/** Replaces the value of a key that is itself the problem. */
export const reportedKey = Symbol('the value of a key with a reported problem');

export function isReported(value: unknown): boolean {
  return value === reportedValue || value === reportedKey;
}

/** All diagnostics, sorted and with excerpts. `reported` comes from kinds, which know places but not texts. */
export function finishDiagnostics(
  problems: readonly Problem[],
  reported: readonly Diagnostic[],
  texts: ReadonlyMap<string, SourceText>,
): readonly Diagnostic[] {
  return sortDiagnostics([...problems.map(placed), ...reported.map((diagnostic) => withExcerpt(diagnostic, texts))]);
}

function placed(problem: Problem): Diagnostic {
  const { at, above = [], ...text } = problem;
  if (at === undefined) return { severity: 'error', ...text };
  const { source: file, start, end } = at;
  const excerpt = file.text === '' ? {} : { excerpt: { ...makeExcerpt(file, start, end), ...linesAbove(above, at) } };
  return { severity: 'error', ...text, source: sourceOf(at), ...excerpt };
}

/** Each line once, in the order of the file. */
function linesAbove(places: readonly Place[], at: Place): Pick<Excerpt, 'above'> {
  const own = sourceOf(at).line;
  const lines = new Map<number, string>();
  for (const { source, start, end } of places) {
    const { line, text } = makeExcerpt(source, start, end);
    if (line < own) lines.set(line, text);
  }
  if (lines.size === 0) return {};
  return { above: [...lines].sort(([one], [other]) => one - other).map(([line, text]) => ({ line, text })) };
}

function withExcerpt(diagnostic: Diagnostic, texts: ReadonlyMap<string, SourceText>): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}
