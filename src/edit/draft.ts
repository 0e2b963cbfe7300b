import type { SourceLines } from './source-lines.ts';

/** The changes of a text, at the offsets and lines of the text before them. */
export interface Draft {
  /** Replaces a range; an empty range is an insertion. */
  replace(start: number, end: number, text: string): void;
  /** Adds lines before a line. */
  insertLines(line: number, added: readonly string[]): void;
  /** Deletes lines, and blank lines that have nothing left to separate. `isFirst`: of a collection that has members left. */
  deleteLines(first: number, last: number, isFirst: boolean): void;
  isDeleted(line: number): boolean;
  /** The text after its changes; null if two of them overlap. `keepsMissingEnd`: no final line end if there was none. */
  finish(keepsMissingEnd: boolean): string | null;
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const kept = 0;
const deleted = 1;
const deletedFirst = 2;

export function openDraft(text: string, lines: SourceLines): Draft {
  const splices: Splice[] = [];
  const added = new Map<number, string[]>();
  const states = new Uint8Array(lines.count);
  return {
    replace: (start, end, by) => void splices.push({ start, end, text: by }),
    insertLines(line, newLines) {
      const known = added.get(line);
      if (known === undefined) added.set(line, [...newLines]);
      else known.push(...newLines);
    },
    deleteLines(first, last, isFirst) {
      for (let line = first; line <= last; line++) states[line] = isFirst ? deletedFirst : deleted;
    },
    isDeleted: (line) => states[line] !== kept,
    finish(keepsMissingEnd) {
      const hasEnd = text.endsWith('\n');
      const complete = hasEnd ? text : text + lines.lineEnd;
      moveComments();
      deleteBlankLines();
      const edited = spliced(complete, [...splices, ...lineSplices(complete.length)]);
      if (edited === null || hasEnd || !keepsMissingEnd) return edited;
      return edited.endsWith(lines.lineEnd) ? edited.slice(0, -lines.lineEnd.length) : edited;
    },
  };

  /** A comment that would follow a text, because all between them is deleted, moves to the left of the text. */
  function moveComments(): void {
    for (const { head, last, column } of lines.texts) {
      if (states[head] !== kept) continue;
      let isNear = true;
      for (let line = last + 1; line < lines.count && !added.has(line); line++) {
        if (states[line] !== kept) isNear = false;
        else if (!lines.isBlank(line)) {
          const at = lines.commentColumn(line);
          if (isNear || at < column) break;
          splices.push({ start: lines.startOf(line), end: lines.startOf(line) + at - column + 1, text: '' });
        }
      }
    }
  }

  /** Of the blank lines before and after deleted lines, one side is enough. */
  function deleteBlankLines(): void {
    for (let line = 0; line < lines.count; line++) {
      if (states[line] === kept && !lines.isBlank(line)) continue;
      let end = line + 1;
      while (end < lines.count && (states[end] !== kept || lines.isBlank(end)) && !added.has(end)) end += 1;
      deleteBlanksOf(line, end);
      line = end - 1;
    }
  }

  /** A run of lines that are deleted or blank. */
  function deleteBlanksOf(start: number, end: number): void {
    let first = start;
    while (first < end && states[first] === kept) first += 1;
    if (first === end) return;
    let last = end - 1;
    while (states[last] === kept) last -= 1;
    const isAtEnd = end >= lines.count && !added.has(lines.count);
    const hasBefore = first > start;
    const hasAfter = last < end - 1;
    for (let line = first; line <= last; line++) if (states[line] === kept) states[line] = deleted;
    if (hasBefore && (hasAfter || isAtEnd)) states.fill(deleted, start, first);
    const isText = lines.keepsLineEnds(start - 1);
    if (!hasBefore && hasAfter && (isText || states[first] === deletedFirst)) states.fill(deleted, last + 1, end);
  }

  function lineSplices(length: number): Splice[] {
    const result: Splice[] = [];
    const startOf = (line: number) => (line >= lines.count ? length : lines.startOf(line));
    for (const [line, newLines] of added) {
      const at = startOf(line);
      result.push({ start: at, end: at, text: newLines.map((each) => each + lines.lineEnd).join('') });
    }
    for (let line = 0; line < lines.count; line++) {
      if (states[line] !== kept) result.push({ start: startOf(line), end: startOf(line + 1), text: '' });
    }
    return result;
  }
}

function spliced(text: string, splices: readonly Splice[]): string | null {
  const parts: string[] = [];
  let done = 0;
  // Insertions are before what is replaced at the same place. The sort is stable.
  const sorted = [...splices].sort((left, right) => left.start - right.start || left.end - right.end);
  for (const { start, end, text: by } of sorted) {
    if (start < done) return null;
    parts.push(text.slice(done, start), by);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}
