// The problems of a run. A file can have a hundred thousand, and a folder thousands of files with some each. A reader fixes
// a few at a time, so the first ones of each file, and of all files, are kept and the others are counted.
import { sortDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { type Place, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, Source } from '../../model/diagnostic.ts';
import { compareText } from '../../values/text-order.ts';
import type { Problem, Report } from './problem.ts';
import { type Complete, type Found, openShownList, type Severity, type ShownList, type Texts } from './shown-list.ts';

/**
 * The most errors, and the most warnings, that are shown for all files. The last file that is shown may exceed it.
 */
export const mostShownInAll = 1_000;
/** Problems that are kept before the files that are not shown are dropped. */
const mostKeptInAll = 4 * mostShownInAll;

export interface ProblemList {
  readonly report: Report;
  /** Adds a diagnostic of a kind, which knows places but not texts. */
  add(diagnostic: Diagnostic, complete?: Complete): void;
  isEmpty(): boolean;
  /** True if no error of a later file would be shown. */
  isFull(): boolean;
  /** Reports that these files are not checked, because the list is full. */
  addUnchecked(files: readonly string[]): void;
  /** Sorted, with excerpts, and with one diagnostic for all that are not shown of a file, and of all files. */
  finish(texts: Texts): readonly Diagnostic[];
}

export function openProblemList(): ProblemList {
  const errors = openShownFiles('error');
  const warnings = openShownFiles('warning');
  const put = (found: Found) => (found.diagnostic.severity === 'error' ? errors : warnings).put(found);
  const report = (problem: Problem): void => {
    const { at, above = [], ...text } = problem;
    if (at === undefined) put({ diagnostic: { severity: 'error', ...text } });
    else put({ diagnostic: { severity: 'error', ...text, source: sourceOf(at) }, at, above });
  };
  const unchecked: Diagnostic[] = [];
  return {
    report: Object.assign(report, { countOnly: errors.countOnly }),
    add: (diagnostic, complete) => put({ diagnostic, ...(complete && { complete }) }),
    isEmpty: () => errors.isEmpty() && warnings.isEmpty(),
    isFull: errors.isFull,
    addUnchecked: (files) => void unchecked.push(notChecked(files)),
    finish: (texts) => sortDiagnostics([...errors.finish(texts), ...warnings.finish(texts), ...unchecked]),
  };
}

/** The first problems of one severity in all files. */
interface ShownFiles {
  put(found: Found): void;
  countOnly(at: Place): boolean;
  isEmpty(): boolean;
  isFull(): boolean;
  finish(texts: Texts): readonly Diagnostic[];
}

function openShownFiles(severity: Severity): ShownFiles {
  const lists = new Map<string, ShownList>();
  /** Problems that were shown when the lists were last shortened, and were added since. */
  let shown = 0;
  let added = 0;
  /** The last file of which problems are shown, once there are too many. */
  let last: string | undefined;
  const hidden = { count: 0, files: new Set<string>(), first: undefined as Source | undefined };

  const isHidden = (file: string) => last !== undefined && compareText(file, last) > 0;

  const hide = (count: number, first: Source) => {
    hidden.count += count;
    hidden.files.add(first.file);
    if (hidden.first === undefined || compareText(first.file, hidden.first.file) < 0) hidden.first = first;
  };

  const shorten = () => {
    added = 0;
    shown = 0;
    for (const file of [...lists.keys()].sort(compareText)) {
      const list = lists.get(file);
      if (list === undefined) continue;
      if (shown < mostShownInAll) {
        // Diagnostics without a place are all shown.
        if (file !== '') shown += list.shown();
        if (shown >= mostShownInAll) last = file;
        continue;
      }
      const { count, first } = list.total();
      if (first !== undefined) hide(count, first);
      lists.delete(file);
    }
  };

  return {
    put(found) {
      const { source, count = 1 } = found.diagnostic;
      if (source !== undefined && isHidden(source.file)) return hide(count, source);
      const file = source?.file ?? '';
      const list = lists.get(file) ?? openShownList(severity);
      lists.set(file, list);
      list.put(found);
      added += 1;
      if (added >= mostKeptInAll) shorten();
    },
    countOnly(at) {
      const { file } = at.source;
      if (!isHidden(file)) return lists.get(file)?.countOnly(() => sourceOf(at)) ?? false;
      hide(1, sourceOf(at));
      return true;
    },
    isEmpty: () => lists.size === 0,
    isFull() {
      if (shown + added >= mostShownInAll) shorten();
      return last !== undefined;
    },
    finish(texts) {
      shorten();
      const found = [...lists.values()].flatMap((list) => list.finish(texts));
      return hidden.first === undefined ? found : [...found, inOtherFiles(severity, hidden.first)];
    },
  };

  function inOtherFiles(severity: Severity, source: Source): Diagnostic {
    const { count, files } = hidden;
    const noun = count === 1 ? severity : `${severity}s`;
    return {
      code: 'CONFIG_MORE_PROBLEMS',
      severity,
      message: `And ${counted(count)} more ${noun} in ${counted(files.size)} more ${files.size === 1 ? 'file' : 'files'}. The first ${counted(mostShownInAll)} ${severity}s of a folder are shown.`,
      hint: `fix the ${severity}s above and run the command again`,
      source,
      count,
    };
  }
}

function notChecked(files: readonly string[]): Diagnostic {
  const [file = '', ...others] = files;
  const subject = others.length === 0 ? 'file is' : 'files are';
  return {
    code: 'CONFIG_MORE_PROBLEMS',
    severity: 'error',
    message: `${counted(files.length)} more ${subject} not checked, because those before have ${counted(mostShownInAll)} errors.`,
    hint: 'fix the errors above and run the command again',
    source: { file, line: 1, column: 1 },
    count: 0,
  };
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
