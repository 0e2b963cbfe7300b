import { structuredPatch } from 'diff';
import type { TextChange } from '../model/kind.ts';
import { characterBoundary, cutText } from './cut-text.ts';
import { displayWidth } from './display-width.ts';
import type { Fact } from './view/plan-view.ts';
import { formatSource, quantity } from './wording.ts';

/** The most lines of a difference that a report shows; the JSON form has both texts. */
const mostLines = 120;
/**
 * The most characters of a text, and the most changed lines, that are compared line by line. The time grows with the
 * square of the changed lines, and a tenant can return any text.
 */
const mostCharacters = 100_000;
const mostChanges = 700;
/**
 * The work for all texts of a report, in units of one changed line, squared, or of 32 characters: a fifth of a second.
 */
const mostWork = 600_000;
const charactersPerUnit = 32;
/** A longer line is cut around its change. */
const longestLine = 160;
const around = 40;

/** A changed text, line by line. */
export interface TextDiff {
  /** `(new)`, `(deleted)` or `(whitespace changes only)`; '' for any other change. */
  readonly remark: string;
  /** True if only white space changes. */
  readonly isSpaceOnly: boolean;
  /** A unified difference without names of files: at most `mostLines`. */
  readonly lines: readonly string[];
  /** Lines that are left out. */
  readonly rest: number;
  /** Number of lines that are added or removed. */
  readonly changed: number;
}

/**
 * Differences of texts, which share one bound of work. Line numbers count from the first line of the text, which is the
 * file's own where the text is a file.
 *
 *   @@ -1,2 +1,2 @@
 *    <div class="notice">
 *   -We changed our terms.
 *   +We changed our prices.
 */
export function openTextDiffs(): (change: TextChange) => TextDiff {
  let left = mostWork;
  const compared = (before: string, after: string): Compared => {
    left -= Math.ceil((before.length + after.length) / charactersPerUnit);
    const most = Math.min(mostChanges, Math.floor(Math.sqrt(Math.max(0, left))));
    const found = most === 0 ? tooMany(most) : diffLines(before, after, most);
    left -= found.changes * found.changes;
    return found;
  };
  return ({ before, after }) => {
    const { lines, changes } = isLong(before ?? '', after ?? '') ? tooMany(0) : compared(before ?? '', after ?? '');
    const remark = remarkOn(before, after);
    return {
      remark,
      isSpaceOnly: remark === spaceOnly,
      lines: lines.slice(0, mostLines),
      rest: Math.max(0, lines.length - mostLines),
      changed: changes,
    };
  };
}

/** The complete difference as details of a row. */
export function textDetails({ label, source }: TextChange, { remark, lines, rest }: TextDiff): Fact[] {
  const place = source === null ? '' : `, in ${formatSource(source)}`;
  return [
    { label: 'text', text: `${label}${place}${remark === '' ? '' : ` ${remark}`}` },
    ...lines.map((text) => ({ label: '', text })),
    ...(rest > 0
      ? [{ label: '', text: `… and ${quantity(rest, 'more line')}; see both texts with --format json` }]
      : []),
  ];
}

/** Only the lines that change, at most `most`, and the number of the others. */
export function changedLines(
  { lines, changed }: TextDiff,
  most: number,
): { readonly shown: string[]; readonly rest: number } {
  const own = lines.filter((line) => /^[-+]/.test(line));
  // Texts that are not compared have a sentence instead.
  if (own.length === 0) return { shown: lines.slice(0, 1), rest: 0 };
  // One more line is as short as its number.
  const end = most > 0 && changed === most + 1 ? changed : most;
  return { shown: own.slice(0, end), rest: changed - Math.min(own.length, end) };
}

interface Compared {
  readonly lines: string[];
  /** Number of lines that were found to differ. */
  readonly changes: number;
}

function tooMany(changes: number): Compared {
  return { lines: ['too many lines differ to show them; see both texts with --format json'], changes };
}

const spaceOnly = '(whitespace changes only)';

function remarkOn(before: string | null, after: string | null): string {
  if (before === null) return '(new)';
  if (after === null) return '(deleted)';
  if (isLong(before, after)) return '';
  return before.replaceAll(/\s+/g, '') === after.replaceAll(/\s+/g, '') ? spaceOnly : '';
}

function isLong(...texts: readonly string[]): boolean {
  return texts.some(({ length }) => length > mostCharacters);
}

function diffLines(before: string, after: string, maxEditLength: number): Compared {
  const patch = structuredPatch('', '', before, after, '', '', { context: 2, maxEditLength });
  if (patch === undefined) return tooMany(maxEditLength);
  const { hunks } = patch;
  // Inline texts usually lack a final newline, so only a change of it is shown.
  const shown = before.endsWith('\n') === after.endsWith('\n') ? (line: string) => !line.startsWith('\\') : () => true;
  return {
    lines: hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...inPairs(lines.filter(shown).map(visibleEnd), cutPair, (line) => cutText(line, longestLine)),
    ]),
    changes: hunks.flatMap(({ lines }) => lines.filter((line) => /^[-+]/.test(line))).length,
  };
}

/** A carriage return at the end of a line is invisible. */
function visibleEnd(line: string): string {
  return line.replace(/\r$/, '␍');
}

/**
 * Changed lines for a narrow terminal, escaped: a line that is replaced begins shortly before its change, where the change
 * would not be visible otherwise.
 */
export function fromChanges(lines: readonly string[], width: number): string[] {
  const pair = (left: string, right: string): Pair => {
    const same = sameStart(left, right);
    const isVisible = displayWidth(left.slice(0, same)) + leastVisible <= width;
    const isShort = Math.max(displayWidth(left), displayWidth(right)) <= width;
    return isShort || isVisible ? [left, right] : fromChange(left, right, Math.floor(width / 3));
  };
  return inPairs(lines, pair, (line) => line);
}

/** Columns that a changed part needs to be seen. */
const leastVisible = 12;

type Pair = readonly [string, string];

/** Lines replaced by the same number of lines are cut around their change, so that it stays visible. */
function inPairs(
  lines: readonly string[],
  pairOf: (left: string, right: string) => Pair,
  single: (line: string) => string,
): string[] {
  const cut: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const removed = runOf(lines, index, '-');
    const added = runOf(lines, index + removed.length, '+');
    if (removed.length > 0 && removed.length === added.length) {
      const pairs = removed.map((line, place) => pairOf(line, added[place] ?? ''));
      cut.push(...pairs.map(([left]) => left), ...pairs.map(([, right]) => right));
    } else {
      cut.push(...[...removed, ...added].map(single));
    }
    index += removed.length + added.length;
    const next = lines[index];
    if (removed.length + added.length === 0 && next !== undefined) {
      cut.push(single(next));
      index += 1;
    }
  }
  return cut;
}

function runOf(lines: readonly string[], from: number, sign: string): readonly string[] {
  let end = from;
  while (lines[end]?.startsWith(sign)) end += 1;
  return lines.slice(from, end);
}

function cutPair(left: string, right: string): Pair {
  if (Math.max(left.length, right.length) <= longestLine) return [left, right];
  const [one, other] = fromChange(left, right, around);
  const cutOne = (line: string) => line.slice(0, 1) + cutText(line.slice(1), longestLine);
  return [cutOne(one), cutOne(other)];
}

/** Both lines with their sign, from this many characters before what differs. */
function fromChange(left: string, right: string, before: number): Pair {
  const start = characterBoundary(left, Math.max(1, sameStart(left, right) - before));
  if (start <= 1) return [left, right];
  return [`${left.slice(0, 1)}…${left.slice(start)}`, `${right.slice(0, 1)}…${right.slice(start)}`];
}

/** The number of characters that both lines begin with, with that of their signs. */
function sameStart(left: string, right: string): number {
  let same = 1;
  while (same < Math.min(left.length, right.length) && left[same] === right[same]) same += 1;
  return same;
}
