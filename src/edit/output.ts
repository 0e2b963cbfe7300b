import type { SourceLines, TextLines } from './source-lines.ts';

export type Output = ReturnType<typeof openOutput>;

/** A text that is written from its first line to its last: lines of the source, and new ones. */
export function openOutput(text: string, lines: SourceLines) {
  const isEnded = text.endsWith('\n');
  const complete = isEnded ? text : text + lines.lineEnd;
  const parts = [text.slice(0, lines.startOf(0))];
  let next = 0;
  let begun: string | null = null;
  /** The text in lines above, if only comments and blank lines were written since. */
  let above: TextLines | null = null;
  const output = {
    /** The first line of the source that is neither written nor left out. */
    next: () => next,
    /** Leaves out the lines of the source before this one. */
    skipTo: (line: number): void => {
      next = Math.max(next, line);
    },
    /** What precedes the next member in its line, such as the dash before a key. */
    begin: (start: string): void => {
      begun = start;
    },
    /** What precedes a member in its line: what was begun, or blanks. */
    startAt(column: number): string {
      const start = begun ?? ' '.repeat(column);
      begun = null;
      return start;
    },
    /** Writes the source from `offset` to the end of a line, after `start`. */
    keep(start: string, offset: number, line: number): void {
      parts.push(start, complete.slice(offset, afterLine(line)));
      next = line + 1;
      above = lines.texts.get(line) ?? null;
    },
    /** Writes new lines. `textColumn`: the indentation of the text in lines that they end in, at most. */
    add(added: readonly string[], textColumn: number | null): void {
      for (const line of added) parts.push(line, lines.lineEnd);
      above = textColumn === null ? null : { column: textColumn, keepsEnds: false };
    },
    /** Writes a blank line, unless it would become a part of the text above. */
    addBlank(): void {
      if (above?.keepsEnds !== true) parts.push(lines.lineEnd);
    },
    /** Writes the comments and blank lines of the source before a line. */
    keepTo(line: number): void {
      for (; next < line; next += 1) keepBetween(next);
    },
    finish(): string {
      output.keepTo(lines.count);
      const written = parts.join('');
      // The end of a text in lines is a part of its value.
      const isOpen = !isEnded && above === null && written.endsWith(lines.lineEnd);
      return isOpen ? written.slice(0, -lines.lineEnd.length) : written;
    },
  };
  return output;

  function afterLine(line: number): number {
    return line + 1 >= lines.count ? complete.length : lines.startOf(line + 1);
  }

  /** A comment that would become a part of the text above, because all between them is left out or new, moves to the left. */
  function keepBetween(line: number): void {
    const isBlank = lines.isBlank(line);
    if (isBlank && above?.keepsEnds === true) return;
    if (begun !== null) parts.push(begun.trimEnd(), lines.lineEnd);
    begun = null;
    const column = lines.commentColumn(line);
    const moved = above !== null && column >= above.column ? column - above.column + 1 : 0;
    if (!isBlank && moved === 0) above = null;
    parts.push(complete.slice(lines.startOf(line) + moved, afterLine(line)));
  }
}
