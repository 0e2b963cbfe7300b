import type { SourceLines } from './source-lines.ts';

/** The changes of a text, at the offsets and lines of the text before them. */
export interface Draft {
  /** Replaces a range; an empty range is an insertion. */
  replace(start: number, end: number, text: string): void;
  /** Adds lines before a line. `textColumn`: the last ones are a text in lines with this indentation. */
  insertLines(line: number, added: readonly string[], textColumn?: number | null): void;
  deleteLines(first: number, last: number): void;
  isDeleted(line: number): boolean;
  /** The text after its changes. */
  finish(): string;
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function openDraft(text: string, lines: SourceLines): Draft {
  const splices: Splice[] = [];
  const added = new Map<number, string[]>();
  const deleted = new Uint8Array(lines.count);
  const newTexts: { readonly last: number; readonly column: number }[] = [];
  const isEnded = text.endsWith('\n');
  const complete = isEnded ? text : text + lines.lineEnd;
  return {
    replace: (start, end, by) => void splices.push({ start, end, text: by }),
    insertLines(line, newLines, textColumn = null) {
      const known = added.get(line);
      if (known === undefined) added.set(line, [...newLines]);
      else known.push(...newLines);
      if (textColumn !== null) newTexts.push({ last: line - 1, column: textColumn });
    },
    deleteLines: (first, last) => void deleted.fill(1, first, last + 1),
    isDeleted: (line) => deleted[line] === 1,
    finish() {
      for (const [last, { head, column }] of lines.texts)
        if (deleted[head] === 0 && (deleted[last + 1] === 1 || lines.isBlank(last + 1))) moveComments(last, column);
      for (const { last, column } of newTexts) moveComments(last, column);
      const edited = spliced(complete, [...splices, ...lineSplices()]);
      // The end of a text in lines is a part of its value.
      const isOpen = !isEnded && lines.texts.size + newTexts.length === 0 && edited.endsWith(lines.lineEnd);
      return isOpen ? edited.slice(0, -lines.lineEnd.length) : edited;
    },
  };

  /** Comments that would become a part of the text above, because all between them is deleted or new, move to the left. */
  function moveComments(last: number, column: number): void {
    for (let line = last + 1; line < lines.count; line++) {
      if (deleted[line] === 1 || lines.isBlank(line)) continue;
      const at = lines.commentColumn(line);
      if (at < column) return;
      splices.push({ start: lines.startOf(line), end: lines.startOf(line) + at - column + 1, text: '' });
    }
  }

  function lineSplices(): Splice[] {
    const startOf = (line: number) => (line >= lines.count ? complete.length : lines.startOf(line));
    const inserted = [...added].map(([line, newLines]) => ({
      start: startOf(line),
      end: startOf(line),
      text: newLines.map((each) => each + lines.lineEnd).join(''),
    }));
    const removed: Splice[] = [];
    deleted.forEach((isDeleted, line) => {
      if (isDeleted === 1) removed.push({ start: startOf(line), end: startOf(line + 1), text: '' });
    });
    return [...inserted, ...removed];
  }
}

function spliced(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let done = 0;
  // Insertions are before what is replaced at the same place. The sort is stable.
  const sorted = [...splices].sort((left, right) => left.start - right.start || left.end - right.end);
  for (const { start, end, text: by } of sorted) {
    parts.push(text.slice(done, start), by);
    done = Math.max(done, end);
  }
  parts.push(text.slice(done));
  return parts.join('');
}
