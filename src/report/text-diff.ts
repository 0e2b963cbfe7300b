import type { TextChange } from '../model/kind.ts';
import { terminalText } from './escape.ts';
import { displayWidth } from './terminal.ts';
import { hunksOf, linesOf, partLines } from './unified-diff.ts';
import { characterBoundary, cutText } from './wording.ts';

/** The most characters of all texts of a report that are compared: a tenant can return any text. */
const mostCharacters = 1_000_000;
/** A longer line is cut, around its change if it is replaced by another. */
const longestLine = 160;
const around = 40;
/** Columns that a changed part needs to be seen. */
const leastVisible = 12;
const tooMany = 'too much text to compare it here; see both texts with --format json';

/** The lines of a text that change, with their signs. */
export interface TextDiff {
  /** True if only white space changes. */
  readonly isSpaceOnly: boolean;
  readonly shown: readonly string[];
  /** Number of changed lines that are left out. */
  readonly rest: number;
}

/** Differences of texts, at most so many lines of each, which share one bound, for lines of this many columns. */
export function openTextDiffs(width: number | null = null): (change: TextChange, most: number) => TextDiff {
  const columns = Math.min(longestLine, width ?? longestLine);
  let left = mostCharacters;
  return ({ before, after }, most) => {
    const [old, next] = [before ?? '', after ?? ''];
    const size = old.length + next.length;
    if (size > left) return { isSpaceOnly: false, shown: [tooMany], rest: 0 };
    left -= size;
    const lines = changedLines(old, next, columns);
    // One more line is as short as its number.
    const end = lines.length === most + 1 ? lines.length : most;
    return {
      isSpaceOnly: before !== null && after !== null && withoutSpace(before) === withoutSpace(after),
      shown: lines.slice(0, end),
      rest: Math.max(0, lines.length - end),
    };
  };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function changedLines(before: string, after: string, columns: number): readonly string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  return hunksOf(old, next, 0).flatMap((hunk) =>
    hunk.flatMap((part) => {
      const signed = partLines(part, old, next).filter((line) => !line.startsWith('\\'));
      return fromChanges(signed.map(visibleEnd), columns).map(
        (line) => line.slice(0, 1) + cutText(line.slice(1), longestLine),
      );
    }),
  );
}

/** A carriage return at the end of a line is invisible. */
function visibleEnd(line: string): string {
  return line.replace(/\r$/, '␍');
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
  let same = 1;
  while (same < Math.min(line.length, other.length) && line[same] === other[same]) same += 1;
  if (widthOf(line.slice(0, same)) + leastVisible <= columns) return line;
  const start = characterBoundary(line, same - Math.min(around, Math.floor(columns / 3)));
  return start <= 1 ? line : `${line.slice(0, 1)}…${line.slice(start)}`;
}

function widthOf(line: string): number {
  return displayWidth(terminalText(line));
}
