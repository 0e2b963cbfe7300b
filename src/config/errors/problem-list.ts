// The problems of a run. There can be a hundred thousand, and a reader fixes a few at a time: the first ones in the order
// of the files are shown, in whatever order they are found, and the others are counted.
import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { comparePlaces, sortDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { offsetOf, type Place, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, Source } from '../../model/diagnostic.ts';
import type { Problem, Report } from './problem.ts';

/** The most errors, and the most warnings, that are shown. */
export const mostShown = 100;
/** Problems that are kept before most of them are dropped. */
const mostKept = 10_000;

type Severity = Diagnostic['severity'];
type Texts = ReadonlyMap<string, SourceText>;

/** Where a problem is, and its diagnostic, which is made if it is shown, and when all secrets are known. */
interface Found {
  readonly source: Source | undefined;
  readonly make: (texts: Texts) => Diagnostic;
}

export interface ProblemList {
  readonly report: Report;
  /** Adds a diagnostic of a kind, which knows places but not texts. `complete` is for one that is shown. */
  add(diagnostic: Diagnostic, complete: (diagnostic: Diagnostic) => Diagnostic): void;
  isEmpty(): boolean;
  /** True if no error of a later file would be shown. */
  isFull(): boolean;
  /**
   * Sorted, with excerpts, and with one diagnostic for all errors, for all warnings, and for all files that are not shown.
   */
  finish(texts: Texts, unchecked?: readonly string[]): readonly Diagnostic[];
}

export function openProblemList(): ProblemList {
  const lists = { error: openFirst('error'), warning: openFirst('warning') };
  return {
    report(problem) {
      const { severity = 'error' } = 'make' in problem ? {} : problem;
      const make = () => diagnosticOf('make' in problem ? { at: problem.at, ...problem.make() } : problem);
      lists[severity].put({ source: problem.at && sourceOf(problem.at), make });
    },
    add(diagnostic, complete) {
      const make = (texts: Texts) => withExcerpt(complete(diagnostic), texts);
      lists[diagnostic.severity].put({ source: diagnostic.source, make });
    },
    isEmpty: () => lists.error.count() + lists.warning.count() === 0,
    isFull: () => lists.error.count() >= mostShown,
    finish: (texts, unchecked = []) =>
      sortDiagnostics([...lists.error.finish(texts), ...lists.warning.finish(texts), ...notChecked(unchecked)]),
  };
}

/** The first problems of one severity that differ, and the number of the others. */
function openFirst(severity: Severity) {
  let kept: Found[] = [];
  let dropped = 0;
  /** Sorts what is kept, and drops what comes after so many. */
  const shorten = (most: number) => {
    kept.sort((left, right) => comparePlaces(left.source, right.source));
    dropped += Math.max(0, kept.length - most);
    kept = kept.slice(0, most);
  };
  return {
    count: () => kept.length + dropped,
    put(found: Found) {
      kept.push(found);
      if (kept.length === mostKept) shorten(mostKept / 10);
    },
    finish(texts: Texts): readonly Diagnostic[] {
      shorten(mostKept);
      const shown = new Map<string, Diagnostic>();
      for (const [index, { source, make }] of kept.entries()) {
        if (shown.size === mostShown)
          return [...shown.values(), notShown(kept.length - index + dropped, severity, source)];
        const diagnostic = make(texts);
        shown.set(JSON.stringify([diagnostic.source, diagnostic.code, diagnostic.message]), diagnostic);
      }
      return [...shown.values()];
    },
  };
}

function diagnosticOf({ at, above, ...text }: Problem): Diagnostic {
  const diagnostic = { severity: 'error', ...text } as const;
  if (at === undefined) return diagnostic;
  const placed = { ...diagnostic, source: sourceOf(at) };
  if (at.source.text === '') return placed;
  const excerpt = makeExcerpt(at.source, at.start, at.end);
  return { ...placed, excerpt: above === undefined ? excerpt : { ...excerpt, above: [lineOf(above)] } };
}

function lineOf({ source, start, end }: Place) {
  const { line, text } = makeExcerpt(source, start, end);
  return { line, text };
}

function withExcerpt(diagnostic: Diagnostic, texts: Texts): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}

function notShown(count: number, severity: Severity, source: Source | undefined): Diagnostic {
  return {
    code: 'CONFIG_MORE_PROBLEMS',
    severity,
    message: `And ${count.toLocaleString('en-US')} more ${severity}${count === 1 ? '' : 's'} from here on. The first ${mostShown} are shown.`,
    hint: `fix the ${severity}s above and run the command again`,
    ...(source !== undefined && { source }),
    count,
  };
}

function notChecked([file, ...others]: readonly string[]): readonly Diagnostic[] {
  if (file === undefined) return [];
  const count = others.length + 1;
  const subject = count === 1 ? '1 more file is' : `${count.toLocaleString('en-US')} more files are`;
  return [
    {
      code: 'CONFIG_MORE_PROBLEMS',
      severity: 'error',
      message: `${subject} not checked, because those before have ${mostShown} errors.`,
      hint: 'fix the errors above and run the command again',
      source: { file, line: 1, column: 1 },
      count: 0,
    },
  ];
}
