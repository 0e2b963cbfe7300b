import type { Excerpt } from '../model/diagnostic.ts';
import { firstIndex } from '../values/first-index.ts';
import type { TextRange } from './find-secrets.ts';
import { type SourceText, sourceAt } from './source-text.ts';

const longestExcerpt = 120;
/** On either side of the marked offset. Secrets become shorter when they are masked, so it is longer than an excerpt. */
const longestPart = 5_000;
/** Only for underlining, which ends with the excerpt. */
const longestToken = 500;
const mask = '***';
const ellipsis = '…';

/**
 * The line of an offset and the part of it to underline. Secrets are masked and a long line is cut around the caret, so
 * `column` counts in the excerpt's own text, which may not be the column of the file.
 */
export function makeExcerpt(source: SourceText, start: number, end: number): Excerpt {
  const { line, column } = sourceAt(source, start);
  const part = partOfLine(source.text, start - column + 1, start);
  // A carriage return at the end of the line is not shown.
  const first = Math.min(start - part.start, part.text.length);
  const caret = { start: first, end: Math.max(first + 1, Math.min(end - part.start, part.text.length)) };
  const masked = maskSecrets(part.text, part.start, caret, source.secrets());
  return { line, ...cutAround(masked.text, masked.caret, part) };
}

/** What an excerpt can show of a line that can have millions of characters. */
interface LinePart {
  readonly start: number;
  readonly text: string;
  /** True if the line has more on this side. */
  readonly before: boolean;
  readonly after: boolean;
}

function partOfLine(text: string, lineStart: number, offset: number): LinePart {
  const start = Math.max(lineStart, offset - longestPart);
  const line = lineFrom(text, start, offset + longestPart);
  return { start, text: line, before: start > lineStart, after: line.length === offset + longestPart - start };
}

function lineFrom(text: string, start: number, most: number): string {
  const part = text.slice(start, most);
  const end = part.indexOf('\n');
  const line = end < 0 ? part : part.slice(0, end);
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

interface Marked {
  readonly text: string;
  readonly caret: TextRange;
}

function maskSecrets(line: string, lineStart: number, caret: TextRange, secrets: readonly TextRange[]): Marked {
  let text = '';
  let done = 0;
  let marked = caret;
  for (const secret of onLine(line, lineStart, secrets)) {
    text += line.slice(done, secret.start);
    const move = (current: number, original: number) => moved(current, original, secret, text.length);
    marked = { start: move(marked.start, caret.start), end: move(marked.end, caret.end) };
    text += mask;
    done = secret.end;
  }
  return { text: text + line.slice(done), caret: marked };
}

/** Where a column of the line is once a secret before or around it became a mask at `maskStart`. */
function moved(current: number, original: number, secret: TextRange, maskStart: number): number {
  if (original <= secret.start) return current;
  return original < secret.end ? maskStart : original - secret.end + maskStart + mask.length;
}

function onLine(line: string, lineStart: number, secrets: readonly TextRange[]): readonly TextRange[] {
  const ranges: TextRange[] = [];
  const lineEnd = lineStart + line.length;
  for (let index = firstIndex(secrets, ({ end }) => end > lineStart); index < secrets.length; index++) {
    const secret = secrets[index];
    if (secret === undefined || secret.start >= lineEnd) break;
    const range = withoutSpace(
      line,
      Math.max(secret.start - lineStart, 0),
      Math.min(secret.end - lineStart, line.length),
    );
    if (range.start < range.end) ranges.push(range);
  }
  return ranges;
}

function withoutSpace(line: string, start: number, end: number): TextRange {
  const part = line.slice(start, end);
  return { start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length };
}

function cutAround(text: string, caret: TextRange, part: LinePart): Omit<Excerpt, 'line'> {
  const width = Math.max(1, caret.end - caret.start);
  if (text.length <= longestExcerpt && !part.before && !part.after) return { column: caret.start + 1, width, text };
  const from = Math.max(0, Math.min(caret.start - 40, text.length - longestExcerpt));
  const to = Math.min(text.length, from + longestExcerpt);
  const before = from > 0 || part.before ? ellipsis : '';
  const after = to < text.length || part.after ? ellipsis : '';
  const column = caret.start - from + before.length + 1;
  return { column, width: Math.min(width, Math.max(1, to - caret.start)), text: before + text.slice(from, to) + after };
}

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y;
const plain = /[^\n\r]*?(?=:?[ \t]*(?:[\n\r]|$)|[ \t]+#|:[ \t]|[ \t]*[,\]}])/y;

/** Where the YAML text that starts at an offset seems to end; only for underlining. */
export function tokenEnd(text: string, start: number): number {
  const part = text.slice(start, start + longestToken);
  for (const pattern of [quoted, plain]) {
    pattern.lastIndex = 0;
    if (pattern.test(part) && pattern.lastIndex > 0) return start + pattern.lastIndex;
  }
  return start + 1;
}
