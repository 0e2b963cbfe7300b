import { firstIndex } from '../values/first-index.ts';

export type SourceLines = ReturnType<typeof sourceLines>;

/** A literal or folded text: comments below it that are indented as much would become a part of it. */
export interface TextLines {
  readonly column: number;
  /** Blank lines after it would become a part of it, too. */
  readonly keepsEnds: boolean;
}

/** Lines of a text. A last line without a line end is treated as if it had one. Lines count from 0. */
export function sourceLines(text: string) {
  const starts = [text.startsWith('\ufeff') ? 1 : 0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  const withReturn = text.split('\r\n').length - 1;
  const inScalar = new Uint8Array(starts.length);
  /** A byte order mark is not a part of the first line. */
  const startOf = (line: number) => starts[line] ?? text.length;
  const lineOf = (offset: number): number => Math.max(firstIndex(starts, (start) => start > offset) - 1, 0);
  /** The offset of the line end. */
  const endOf = (line: number) => {
    const next = starts[line + 1];
    if (next === undefined) return text.length;
    return text[next - 2] === '\r' ? next - 2 : next - 1;
  };
  /** The column of the first character that is not white space; -1 for a blank line. */
  const firstColumn = (line: number) => text.slice(startOf(line), endOf(line)).search(/\S/);
  return {
    /** The line end that most lines have. */
    lineEnd: withReturn * 2 > starts.length - 1 ? '\r\n' : '\n',
    lineOf,
    startOf,
    endOf,
    columnOf: (offset: number) => offset - startOf(lineOf(offset)),
    /** Nothing but white space is before the offset in its line. */
    isFirstInLine: (offset: number) => /^[ \t]*$/.test(text.slice(startOf(lineOf(offset)), offset)),
    /** The column of the comment of a line that has nothing else; -1 for any other line. */
    commentColumn(line: number): number {
      if (line < 0 || inScalar[line] === 1) return -1;
      const column = firstColumn(line);
      return text[startOf(line) + column] === '#' ? column : -1;
    },
    isBlank: (line: number) => inScalar[line] === 0 && firstColumn(line) < 0,
    /** Within a scalar of several lines, nothing is a comment or blank. */
    markScalar: (start: number, end: number) =>
      void inScalar.fill(1, lineOf(start), lineOf(Math.max(start, end - 1)) + 1),
    /** Texts in lines of their own, by their last line. */
    texts: new Map<number, TextLines>(),
  };
}
