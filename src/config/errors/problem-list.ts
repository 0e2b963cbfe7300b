// The problems of a run. There can be a hundred thousand, and a reader fixes a few at a time: the first ones in the order
// of the files are kept, in whatever order they are found, and the others are counted.
import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { compareDiagnostics, sortDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { offsetOf, type Place, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, Excerpt, Source } from '../../model/diagnostic.ts';
import { compareText } from '../../values/text-order.ts';
import type { Problem, Report } from './problem.ts';

/** The most errors, and the most warnings, that are shown. */
export const mostShown = 100;
/** Problems that are kept before those that are not shown are dropped. */
const mostKept = 4 * mostShown;

type Complete = (diagnostic: Diagnostic) => Diagnostic;
type Texts = ReadonlyMap<string, SourceText>;

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
  /** True if no error of a later file would be shown. */
  isFull(): boolean;
  /**
   * Sorted, with excerpts, and with one diagnostic for all errors, for all warnings, and for all files that are not shown.
   */
  finish(texts: Texts, unchecked?: readonly string[]): readonly Diagnostic[];
}

export function openProblemList(): ProblemList {
  const lists = { error: openFirst('error'), warning: openFirst('warning') };
  const put = (found: Found) => lists[found.diagnostic.severity].put(found);
  const report = ({ at, above = [], ...text }: Problem): void => {
    if (at === undefined) put({ diagnostic: { severity: 'error', ...text } });
    else put({ diagnostic: { severity: 'error', ...text, source: sourceOf(at) }, at, above });
  };
  return {
    report: Object.assign(report, { countOnly: (at: Place) => lists.error.countOnly(sourceOf(at)) }),
    add: (diagnostic, complete) => put({ diagnostic, ...(complete && { complete }) }),
    isEmpty: () => lists.error.isEmpty() && lists.warning.isEmpty(),
    isFull: () => lists.error.isFull(),
    finish(texts, unchecked = []) {
      const found = [...lists.error.finish(), ...lists.warning.finish()];
      // Excerpts are made last, when all secrets are known.
      return sortDiagnostics([...found.map((one) => completed(one, texts)), ...notChecked(unchecked)]);
    },
  };
}

/** The first problems of one severity. */
function openFirst(severity: Diagnostic['severity']) {
  let kept: Found[] = [];
  /** The last one that is shown, once there are enough. */
  let last: Source | undefined;
  let hidden = 0;
  let firstHidden: Source | undefined;

  const hide = (source: Source | undefined) => {
    hidden += 1;
    if (firstHidden === undefined || comparePlaces(source, firstHidden) < 0) firstHidden = source;
  };

  const countOnly = (source: Source | undefined) => {
    if (last === undefined || comparePlaces(source, last) <= 0) return false;
    hide(source);
    return true;
  };

  const shorten = () => {
    kept.sort((left, right) => compareDiagnostics(left.diagnostic, right.diagnostic));
    kept = kept.filter(({ diagnostic }, index) => {
      const previous = kept[index - 1]?.diagnostic;
      return previous === undefined || compareDiagnostics(previous, diagnostic) !== 0;
    });
    for (const { diagnostic } of kept.splice(mostShown)) hide(diagnostic.source);
    if (kept.length === mostShown) last = kept.at(-1)?.diagnostic.source;
  };

  return {
    countOnly,
    isEmpty: () => kept.length === 0,
    isFull: () => kept.length >= mostShown,
    put(found: Found) {
      if (countOnly(found.diagnostic.source)) return;
      kept.push(found);
      if (kept.length >= mostKept) shorten();
    },
    finish(): readonly Found[] {
      shorten();
      return hidden === 0 ? kept : [...kept, { diagnostic: notShown(hidden, severity, firstHidden) }];
    },
  };
}

/** By file, line and column; what has no place comes first. */
function comparePlaces(left: Source | undefined, right: Source | undefined): number {
  return (
    compareText(left?.file ?? '', right?.file ?? '') ||
    (left?.line ?? 0) - (right?.line ?? 0) ||
    (left?.column ?? 0) - (right?.column ?? 0)
  );
}

function completed({ diagnostic, at, above = [], complete }: Found, texts: Texts): Diagnostic {
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

function withExcerpt(diagnostic: Diagnostic, texts: Texts): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}

function notShown(count: number, severity: Diagnostic['severity'], source: Source | undefined): Diagnostic {
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
  const subject =
    others.length === 0 ? '1 more file is' : `${(others.length + 1).toLocaleString('en-US')} more files are`;
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
