import { locationText } from '../diagnostics/source-text.ts';
import type { TextChange } from '../model/kind.ts';
import { characterBoundary } from '../values/character-boundary.ts';
import { commonStart } from '../values/text-order.ts';
import { terminalText } from './escape.ts';
import { displayWidth } from './terminal.ts';
import { hunkHeading, hunksOf, linesOf, partLines } from './unified-diff.ts';
import type { Fact } from './view/plan-view.ts';
import { cutText, quantity, shortList } from './wording.ts';

/** The most lines of a difference that a report shows; the JSON form has both texts. */
const mostLines = 120;
/** The most characters of all texts of a report that are compared: a tenant can return any text. */
const mostCharacters = 1_000_000;
/** A longer line is cut, around its change if it is replaced by another. */
const longestLine = 160;
const around = 40;
/** Columns that a changed part needs to be seen. */
const leastVisible = 12;
const context = 2;

/** A changed text, line by line. */
export interface TextDiff {
  /** ` (whitespace changes only)`; '' for any other change. */
  readonly remark: string;
  /** A unified difference without names of files. */
  readonly lines: readonly string[];
}

const tooMany = 'too much text to compare it here; see both texts with --format json';

/**
 * Differences of texts, which share one bound, for lines of this many columns. Line numbers count from the first
 * line of the text, which is the file's own where the text is a file.
 *
 *   @@ -1,2 +1,2 @@
 *    <div class="notice">
 *   -We changed our terms.
 *   +We changed our prices.
 */
export function openTextDiffs(width: number | null = null): (change: TextChange) => TextDiff {
  const columns = Math.min(longestLine, width ?? longestLine);
  let left = mostCharacters;
  return ({ before, after }) => {
    const size = (before?.length ?? 0) + (after?.length ?? 0);
    if (size > left) return { remark: '', lines: [tooMany] };
    left -= size;
    return { remark: remarkOn(before, after), lines: diffLines(before ?? '', after ?? '', columns) };
  };
}

function remarkOn(before: string | null, after: string | null): string {
  const words = [before, after].map((text) => text?.replaceAll(/\s+/g, ''));
  return words[0] !== undefined && words[0] === words[1] ? ' (whitespace changes only)' : '';
}

/** The difference as details of a row. */
export function textDetails({ label, source, before, after }: TextChange, { remark, lines }: TextDiff): Fact[] {
  const place = source === null ? '' : `, in ${locationText(source)}`;
  const about = before === null ? ' (new)' : after === null ? ' (deleted)' : remark;
  const more = (rest: number) => `… and ${quantity(rest, 'more line')}; see both texts with --format json`;
  return [
    { label: 'text', text: label + place + about },
    ...shortList(lines, mostLines, more).map((text) => ({ label: '', text })),
  ];
}

/** Only the lines that change. Texts that are not compared have a sentence instead. */
export function changedLines({ lines }: TextDiff): readonly string[] {
  const changed = lines.filter((line) => /^[-+]/.test(line));
  return changed.length === 0 ? lines.slice(0, 1) : changed;
}

function diffLines(before: string, after: string, columns: number): readonly string[] {
  // Inline texts usually lack a final line end, so only a change of it is shown.
  const isEndShown = before.endsWith('\n') !== after.endsWith('\n');
  return hunksOf(linesOf(before), linesOf(after), context).flatMap((hunk) => [
    hunkHeading(hunk),
    ...hunk.flatMap((part) => {
      const signed = partLines(part).filter((line) => isEndShown || !line.startsWith('\\'));
      // A carriage return at the end of a line is invisible.
      const visible = signed.map((line) => line.replace(/\r$/, '␍'));
      return fromChanges(visible, columns).map((line) => line.slice(0, 1) + cutText(line.slice(1), longestLine));
    }),
  ]);
}

/** Lines that are replaced by as many lines begin shortly before their change, where it would not be visible otherwise. */
function fromChanges(lines: readonly string[], columns: number): readonly string[] {
  const half = lines.length / 2;
  const isReplaced = lines[half - 1]?.startsWith('-') && lines[half]?.startsWith('+');
  return isReplaced
    ? lines.map((line, index) => fromChange(line, lines[(index + half) % lines.length] ?? '', columns))
    : lines;
}

function fromChange(line: string, other: string, columns: number): string {
  if (widthOf(line) <= columns && widthOf(other) <= columns) return line;
  const same = 1 + commonStart(line.slice(1), other.slice(1));
  if (widthOf(line.slice(0, same)) + leastVisible <= columns) return line;
  const start = characterBoundary(line, same - Math.min(around, Math.floor(columns / 3)));
  return start <= 1 ? line : `${line.slice(0, 1)}…${line.slice(start)}`;
}

function widthOf(line: string): number {
  return displayWidth(terminalText(line));
}
