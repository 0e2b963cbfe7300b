// The problems of a run. There can be a hundred thousand, and a reader fixes a few at a time: the first ones in the order
// of the files are shown, in whatever order they are found, and the others are counted.
import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { comparePlaces, sortDiagnostics } from '../../diagnostics/problem.ts';
import { offsetOf, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, Source } from '../../model/diagnostic.ts';
import { thousands } from '../../values/thousands.ts';
import type { Problem, Report } from './problem.ts';

/** The most errors, and the most warnings, that are shown. */
export const mostShown = 100;

type Severity = Diagnostic['severity'];
type Texts = ReadonlyMap<string, SourceText>;

/** Where a problem is, and its diagnostic, which is made if it is shown, and when all secrets are known. */
interface Found {
  readonly severity: Severity;
  readonly source: Source | undefined;
  readonly make: (texts: Texts) => Diagnostic;
}

export type ProblemList = ReturnType<typeof openProblemList>;

export function openProblemList() {
  const lists: Readonly<Record<'error' | 'warning', List>> = {
    error: { kept: [], dropped: 0 },
    warning: { kept: [], dropped: 0 },
  };
  return {
    report(problem: Parameters<Report>[0]): void {
      const { severity = 'error' } = 'make' in problem ? {} : problem;
      const make = () => diagnosticOf('make' in problem ? { at: problem.at, ...problem.make() } : problem);
      put(lists[severity], { severity, source: problem.at && sourceOf(problem.at), make });
    },
    /** Adds a diagnostic of a kind, which knows places but not texts. */
    add(diagnostic: Diagnostic): void {
      const { severity, source } = diagnostic;
      put(lists[severity], { severity, source, make: (texts) => withExcerpt(diagnostic, texts) });
    },
    isEmpty: () => lists.error.kept.length + lists.warning.kept.length === 0,
    /** True if no error of a later file would be shown. */
    isFull: () => lists.error.kept.length >= mostShown,
    /** Sorted, with excerpts, and with one diagnostic for all errors, all warnings and all files that are not shown. */
    finish: (texts: Texts, unchecked: readonly string[] = []) =>
      sortDiagnostics([...firstOf(lists.error, texts), ...firstOf(lists.warning, texts), ...notChecked(unchecked)]),
  };
}

/** The problems of one severity that may be shown, and the number of the others. */
interface List {
  kept: Found[];
  dropped: number;
}

/** Problems that are kept before most of them are dropped: a file of 4 MB can have millions. */
const mostKept = 10_000;

function put(list: List, found: Found): void {
  list.kept.push(found);
  if (list.kept.length < mostKept) return;
  list.kept = sorted(list.kept).slice(0, mostKept / 10);
  list.dropped += mostKept - list.kept.length;
}

function sorted(problems: readonly Found[]): Found[] {
  return problems.toSorted((left, right) => comparePlaces(left.source, right.source));
}

/** The first problems that differ, and the number of the others. */
function firstOf({ kept, dropped }: List, texts: Texts): readonly Diagnostic[] {
  const shown = new Map<string, Diagnostic>();
  for (const [index, { severity, source, make }] of sorted(kept).entries()) {
    if (shown.size === mostShown) return [...shown.values(), notShown(kept.length - index + dropped, severity, source)];
    const diagnostic = make(texts);
    shown.set(JSON.stringify([diagnostic.source, diagnostic.code, diagnostic.message]), diagnostic);
  }
  return [...shown.values()];
}

function diagnosticOf({ at, ...text }: Problem): Diagnostic {
  const diagnostic = { severity: 'error', ...text } as const;
  if (at === undefined) return diagnostic;
  const placed = { ...diagnostic, source: sourceOf(at) };
  if (at.source.text === '') return placed;
  return { ...placed, excerpt: makeExcerpt(at.source, at.start, at.end) };
}

function withExcerpt(diagnostic: Diagnostic, texts: Texts): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}

function notShown(count: number, severity: Severity, source: Source | undefined): Diagnostic {
  const message = `And ${thousands(count)} more ${severity}${count === 1 ? '' : 's'} from here on. The first ${mostShown} are shown.`;
  return { ...more(severity, message), ...(source !== undefined && { source }), count };
}

function notChecked([file, ...others]: readonly string[]): readonly Diagnostic[] {
  if (file === undefined) return [];
  const subject = others.length === 0 ? '1 more file is' : `${thousands(others.length + 1)} more files are`;
  const message = `${subject} not checked, because those before have ${mostShown} errors.`;
  return [{ ...more('error', message), source: { file, line: 1, column: 1 }, count: 0 }];
}

function more(severity: Severity, message: string) {
  const hint = `fix the ${severity}s above and run the command again`;
  return { code: 'CONFIG_MORE_PROBLEMS', severity, message, hint } as const;
}
