import { firstIndex } from '../values/first-index.ts';

/** Lines of a text, by what the parser found in them. A last line without a line end is treated as if it had one. */
export interface SourceLines {
  readonly count: number;
  /** The line end that most lines have. */
  readonly lineEnd: string;
  /** The line that has an offset, counted from 0. */
  lineOf(offset: number): number;
  /** A byte order mark is not a part of the first line. */
  startOf(line: number): number;
  /** The offset of the line end. */
  endOf(line: number): number;
  columnOf(offset: number): number;
  /** Nothing but white space is before the offset in its line. */
  isFirstInLine(offset: number): boolean;
  markContent(start: number, end: number): void;
  markComment(start: number): void;
  /** The column of the comment of a line that has nothing else; -1 for any other line. */
  commentColumn(line: number): number;
  isBlank(line: number): boolean;
  /** A text ends in this line to which blank lines after it would belong. */
  keepsLineEnds(line: number): boolean;
  markKeptEnd(end: number): void;
  /** Texts in lines: comments below them that are indented as much would become a part of them. */
  readonly texts: readonly TextLines[];
  markText(text: TextLines): void;
}

export interface TextLines {
  /** The line of the header. */
  readonly head: number;
  readonly last: number;
  readonly column: number;
}

const blank = 0;
const content = 2;
const firstComment = 3;

export function sourceLines(text: string): SourceLines {
  const starts = [text.startsWith('\ufeff') ? 1 : 0];
  let withReturn = 0;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) {
    starts.push(index + 1);
    if (text[index - 1] === '\r') withReturn += 1;
  }
  const ends = starts.length - 1;
  const count = starts.at(-1) === text.length && starts.length > 1 ? starts.length - 1 : starts.length;
  const keptEnds = new Set<number>();
  const texts: TextLines[] = [];
  const kinds = new Uint32Array(starts.length);
  const startOf = (line: number) => starts[line] ?? text.length;
  const lineOf = (offset: number) => Math.max(firstIndex(starts, (start) => start > offset) - 1, 0);
  return {
    count,
    lineEnd: withReturn * 2 > ends ? '\r\n' : '\n',
    lineOf,
    startOf,
    endOf(line) {
      const next = starts[line + 1];
      if (next === undefined) return text.length;
      return text[next - 2] === '\r' ? next - 2 : next - 1;
    },
    columnOf: (offset) => offset - startOf(lineOf(offset)),
    isFirstInLine: (offset) => /^[ \t]*$/.test(text.slice(startOf(lineOf(offset)), offset)),
    markContent(start, end) {
      if (end <= start) return;
      const last = lineOf(end - 1);
      for (let line = lineOf(start); line <= last; line++) kinds[line] = content;
    },
    markComment(start) {
      const line = lineOf(start);
      if (kinds[line] === blank) kinds[line] = firstComment + start - startOf(line);
    },
    commentColumn: (line) => (line < 0 ? -1 : Math.max(-1, (kinds[line] ?? 0) - firstComment)),
    texts,
    markText: (found) => void texts.push(found),
    keepsLineEnds: (line) => keptEnds.has(line),
    markKeptEnd: (end) => void keptEnds.add(lineOf(end - 1)),
    isBlank: (line) => (kinds[line] ?? blank) === blank,
  };
}
