// What the parser reports as a missing character or an unexpected text is mostly a line with the wrong indentation, a
// missing colon, or a quote or bracket that is never closed. This follows the mappings and lists of a refused file by
// the columns of its lines, and finds those that do not fit.
import { type Place, type SourceText, sourceAt } from '../../diagnostics/source-text.ts';
import type { Problem, ProblemText } from '../errors/problem.ts';
import { type LayoutLine, type LayoutText, layoutOf } from './layout-lines.ts';
import * as texts from './layout-texts.ts';

/** A problem, and the range in which errors of the parser have the same cause. */
export interface LayoutProblem {
  readonly problem: Problem;
  readonly from: number;
  readonly to: number;
}

/** An open mapping or list, and its last entry. */
interface Level {
  readonly kind: 'mapping' | 'list';
  readonly column: number;
  /** A wrong column that was reported: more lines in it are the same mistake. */
  readonly alias: number | null;
  readonly entry: Entry;
}

interface Entry {
  /** Offset of the key or of the dash. */
  readonly start: number;
  readonly column: number;
  /** Null for an item of a list. */
  readonly key: LayoutText | null;
  /** What it has: nothing yet, entries of its own, or a text. */
  readonly has: 'nothing' | 'entries' | LayoutText;
}

const mostProblems = 20;
const longestIndent = 1000;
const deepest = 200;

/** In the order of the file, up to the line after an offset. Only those count in whose range the parser found an error: the others may be valid. */
export function findLayoutProblems(source: SourceText, until: number): readonly LayoutProblem[] {
  const { text } = source;
  const problems: LayoutProblem[] = [];
  const levels: Level[] = [];
  let previous: LayoutLine | null = null;
  for (const line of layoutOf(text)) {
    if ('character' in line) {
      add(texts.neverClosed(line.character), line.start, line.start + 1, line.start, text.length);
      continue;
    }
    if (problems.length >= mostProblems || levels.length > deepest) return problems;
    if (/^(?:---|\.\.\.|%)/.test(text.slice(line.start, line.start + 3))) levels.length = 0;
    else readLine(line);
    if (line.start > until) return problems;
    previous = line;
  }
  return problems;

  function readLine(line: LayoutLine): void {
    const tab = tabBefore(line.start);
    if (tab >= 0) {
      add(texts.tab(), tab, tab + 1, previous?.start ?? tab, line.end);
      return;
    }
    for (const dash of line.dashes) enter('list', dash, null, line);
    if (line.key !== null) enter('mapping', line.key.start, line.key, line);
    if (line.value !== null) giveValue(line, line.value);
  }

  /** Adds an entry to the level of its column, or opens a level. */
  function enter(kind: Level['kind'], start: number, key: LayoutText | null, line: LayoutLine): void {
    const entry: Entry = { start, column: columnOf(start), key, has: 'nothing' };
    const top = levels.at(-1);
    if (top === undefined || mayOpen(top, kind, entry)) {
      if (top !== undefined) levels[levels.length - 1] = { ...top, entry: { ...top.entry, has: 'entries' } };
      levels.push({ kind, column: entry.column, alias: null, entry });
      return;
    }
    const index = levels.findLastIndex(
      (level) => level.kind === kind && (level.column === entry.column || level.alias === entry.column),
    );
    if (index >= 0) replaceEntry(index, entry);
    else misplaced(kind, entry, line);
  }

  function replaceEntry(index: number, entry: Entry): void {
    const level = levels[index] as Level;
    levels.length = index;
    levels.push({ ...level, alias: entry.column === level.column ? level.alias : entry.column, entry });
  }

  function misplaced(kind: Level['kind'], entry: Entry, line: LayoutLine): void {
    const end = Math.max(line.end, entry.start + 1);
    const from = previous?.start ?? entry.start;
    const index = nearestLevel(kind, entry.column);
    const level = levels[index];
    const top = levels.at(-1);
    const word = top?.entry.has;
    const isWord = typeof word === 'object' && !/[[{]/.test(text.charAt(word.start));
    const column = isWord ? columnOf(word.start) : null;
    if (kind === 'mapping' && typeof word === 'object' && column === entry.column) {
      // The keys below a text that was meant to be their first one.
      const problem = top?.kind === 'list' ? texts.itemWithoutKey(shown(word)) : texts.withoutColon(shown(word));
      add(problem, word.start, word.start + word.text.length, from, end);
      levels.push({ kind, column: entry.column, alias: null, entry });
      return;
    }
    const own = { kind, name: shown(entry.key), column: entry.column };
    const problem =
      level === undefined
        ? texts.noList(shown(keyAbove(entry.column)))
        : texts.indentation(own, {
            ...level,
            name: shown(level.entry.key),
            line: sourceAt(source, level.entry.start).line,
          });
    add({ ...problem, above: [level?.entry.start, previous?.start] }, entry.start, end, from, end);
    if (level === undefined) levels.push({ kind, column: entry.column, alias: null, entry });
    else replaceEntry(index, entry);
  }

  /** The level of this kind whose column is nearest; -1 if there is none. */
  function nearestLevel(kind: Level['kind'], column: number): number {
    let nearest = -1;
    for (const [index, level] of levels.entries()) {
      if (level.kind !== kind) continue;
      const best = levels[nearest];
      if (best === undefined || Math.abs(level.column - column) <= Math.abs(best.column - column)) nearest = index;
    }
    return nearest;
  }

  function keyAbove(column: number): LayoutText | null {
    return levels.findLast((level) => level.column <= column && level.entry.key !== null)?.entry.key ?? null;
  }

  function giveValue(line: LayoutLine, value: LayoutText): void {
    const top = levels.at(-1);
    if (top === undefined) {
      add(texts.withoutColon(shown(value)), value.start, line.end, value.start, line.end);
      return;
    }
    const isOnLine = top.entry.start >= line.start;
    const column = columnOf(value.start);
    if (isOnLine || (top.entry.has === 'nothing' && column > top.entry.column)) {
      if (top.entry.has === 'nothing') levels[levels.length - 1] = { ...top, entry: { ...top.entry, has: value } };
      return;
    }
    const problem = { ...misplacedText(top.entry, value, column), above: [top.entry.start] };
    add(problem, value.start, line.end, previous?.start ?? line.start, line.end);
  }

  function misplacedText({ key, has, column: entryColumn }: Entry, value: LayoutText, column: number): ProblemText {
    if (has === 'nothing' && key !== null && column === entryColumn)
      return texts.valueNotIndented(shown(key), shown(value));
    if (typeof has === 'object' && has.isBlock) return texts.blockNotIndented();
    return typeof has === 'object' && key !== null && column !== entryColumn
      ? texts.textNotIndented(shown(key))
      : texts.withoutColon(shown(value));
  }

  /** `above`: offsets in lines to show with the problem. */
  function add(
    { above = [], ...text }: ProblemText & { readonly above?: readonly (number | undefined)[] },
    start: number,
    end: number,
    from: number,
    to: number,
  ): void {
    const offsets = above.filter((offset) => offset !== undefined);
    const problem = { ...text, at: { source, start, end }, above: offsets.map((offset) => place(source, offset)) };
    problems.push({ problem, from: from - columnOf(from), to });
  }

  /** Null for what may be a secret, or is no text in one token. */
  function shown(found: LayoutText | null): string | null {
    if (found === null || found.text === '') return null;
    const end = found.start + found.text.length;
    return source.secrets().some((secret) => secret.start < end && secret.end > found.start) ? null : found.text;
  }

  /** Counts from 0, as indentation does. */
  function columnOf(offset: number): number {
    return sourceAt(source, offset).column - 1;
  }

  /** The offset of a tab in the indentation of a line, or -1. */
  function tabBefore(offset: number): number {
    const indent = text.slice(offset - Math.min(columnOf(offset), longestIndent), offset);
    return /^[ \t]*$/.test(indent) && indent.includes('\t') ? offset - indent.length + indent.indexOf('\t') : -1;
  }
}

/** Whether an entry can be the first one of a new level, inside of the last entry. */
function mayOpen(
  { kind: outer, entry: { has, column: outerColumn, start: outerStart } }: Level,
  kind: Level['kind'],
  entry: Entry,
): boolean {
  if (has !== 'nothing' || entry.start < outerStart) return false;
  return entry.column > outerColumn || (kind === 'list' && outer === 'mapping' && entry.column === outerColumn);
}

function place(source: SourceText, start: number): Place {
  return { source, start, end: start + 1 };
}
