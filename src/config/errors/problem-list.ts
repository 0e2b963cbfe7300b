// The problems of a run. A file can have a hundred thousand, and a reader fixes a few at a time, so of each file the
// first ones are kept and the others are counted. "First" is the order of the file, not the order in which problems are
// found.
import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { compareDiagnostics, sortDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { offsetOf, type Place, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, Excerpt, Source } from '../../model/diagnostic.ts';
import type { Problem, Report } from './problem.ts';

/** The most errors, and the most warnings, that are shown for one file. */
export const mostShown = 100;
/** Problems of a file that are kept before those that are not shown are dropped. */
const mostKept = 4 * mostShown;

type Severity = Diagnostic['severity'];
type Complete = (diagnostic: Diagnostic) => Diagnostic;

interface Found {
  readonly diagnostic: Diagnostic;
  readonly at?: Place;
  readonly above?: readonly Place[];
  /** What is left to do for a diagnostic that is shown. */
  readonly complete?: Complete;
}

export interface ProblemList {
  readonly report: Report;
  /** Adds a diagnostic of a kind, which knows places but not texts. */
  add(diagnostic: Diagnostic, complete?: Complete): void;
  isEmpty(): boolean;
  /** Sorted, with excerpts, and with one diagnostic for all that are not shown of a file. */
  finish(texts: ReadonlyMap<string, SourceText>): readonly Diagnostic[];
}

export function openProblemList(): ProblemList {
  const lists = new Map<string, ShownList>();
  const listOf = (file: string, severity: Severity): ShownList => {
    const name = `${severity} ${file}`;
    const known = lists.get(name) ?? openShownList(severity);
    lists.set(name, known);
    return known;
  };
  const put = (found: Found) => listOf(found.diagnostic.source?.file ?? '', found.diagnostic.severity).put(found);
  const report = (problem: Problem): void => {
    const { at, above = [], ...text } = problem;
    if (at === undefined) put({ diagnostic: { severity: 'error', ...text } });
    else put({ diagnostic: { severity: 'error', ...text, source: sourceOf(at) }, at, above });
  };
  const countOnly = (at: Place) => listOf(at.source.file, 'error').countOnly(() => sourceOf(at));
  return {
    report: Object.assign(report, { countOnly }),
    add: (diagnostic, complete) => put({ diagnostic, ...(complete && { complete }) }),
    isEmpty: () => lists.size === 0,
    finish: (texts) => sortDiagnostics([...lists.values()].flatMap((list) => list.finish(texts))),
  };
}

/** All diagnostics of complete lists, as a run reports them. */
export function finishDiagnostics(
  problems: readonly Problem[],
  reported: readonly Diagnostic[],
  texts: ReadonlyMap<string, SourceText>,
): readonly Diagnostic[] {
  const list = openProblemList();
  for (const problem of problems) list.report(problem);
  for (const diagnostic of reported) list.add(diagnostic);
  return list.finish(texts);
}

/** The first problems of one file and severity. Diagnostics without a place are all kept. */
interface ShownList {
  put(found: Found): void;
  countOnly(at: () => Source): boolean;
  finish(texts: ReadonlyMap<string, SourceText>): Diagnostic[];
}

function openShownList(severity: Severity): ShownList {
  let kept: Found[] = [];
  let dropped = 0;
  let firstDropped: Source | undefined;
  /** The last one that is shown, once there are too many. */
  let last: Source | undefined;

  const drop = (source: Source) => {
    dropped += 1;
    if (firstDropped === undefined || comparePlaces(source, firstDropped) < 0) firstDropped = source;
  };

  const shorten = () => {
    const sorted = kept.sort((left, right) => compareDiagnostics(left.diagnostic, right.diagnostic));
    const distinct = sorted.filter(({ diagnostic }, index) => {
      const previous = sorted[index - 1];
      return previous === undefined || compareDiagnostics(previous.diagnostic, diagnostic) !== 0;
    });
    kept = [];
    for (const found of distinct) {
      const { source } = found.diagnostic;
      if (kept.length < mostShown || source === undefined || found.diagnostic.count !== undefined) kept.push(found);
      else drop(source);
    }
    last = kept.length < mostShown ? undefined : kept.at(-1)?.diagnostic.source;
  };

  const countOnly = (at: () => Source) => {
    if (last === undefined) return false;
    const source = at();
    if (comparePlaces(source, last) <= 0) return false;
    drop(source);
    return true;
  };

  return {
    put(found) {
      const { source, count } = found.diagnostic;
      if (source !== undefined && count === undefined && countOnly(() => source)) return;
      kept.push(found);
      if (kept.length >= mostKept && source !== undefined) shorten();
    },
    countOnly,
    finish(texts) {
      shorten();
      const shown = kept.map((found) => completed(found, texts));
      return firstDropped === undefined ? shown : [...shown, notShown(dropped, severity, firstDropped, texts)];
    },
  };
}

function comparePlaces(left: Source, right: Source): number {
  return left.line - right.line || left.column - right.column;
}

function completed(
  { diagnostic, at, above = [], complete }: Found,
  texts: ReadonlyMap<string, SourceText>,
): Diagnostic {
  if (at === undefined) return withExcerpt(complete?.(diagnostic) ?? diagnostic, texts);
  const { source, start, end } = at;
  if (source.text === '') return diagnostic;
  return { ...diagnostic, excerpt: { ...makeExcerpt(source, start, end), ...linesAbove(above, at) } };
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

function notShown(
  count: number,
  severity: Severity,
  source: Source,
  texts: ReadonlyMap<string, SourceText>,
): Diagnostic {
  const noun = count === 1 ? severity : `${severity}s`;
  const diagnostic: Diagnostic = {
    code: 'CONFIG_MORE_PROBLEMS',
    severity,
    message: `And ${count.toLocaleString('en-US')} more ${noun} from here on. The first ${mostShown} ${severity}s of a file are shown.`,
    hint: `fix the ${severity}s above and run the command again`,
    source,
    count,
  };
  return withExcerpt(diagnostic, texts);
}
