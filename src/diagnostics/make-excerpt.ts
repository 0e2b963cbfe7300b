import type { Excerpt } from '../model/diagnostic.ts';
import { characterBoundary } from '../values/character-boundary.ts';
import { firstIndex } from '../values/first-index.ts';
import type { TextRange } from './find-secrets.ts';
import { type SourceText, sourceAt } from './source-text.ts';

const longestExcerpt = 120;
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
  const lineStart = start - column + 1;
  const lineEnd = source.text.indexOf('\n', lineStart);
  const text = source.text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).replace(/\r$/, '');
  // A carriage return at the end of the line is not shown.
  const first = Math.min(start - lineStart, text.length);
  const caret = { start: first, end: Math.max(first + 1, Math.min(end - lineStart, text.length)) };
  return { line, ...cutAround(maskSecrets(text, lineStart, caret, source.secrets())) };
}

interface Marked {
  readonly text: string;
  readonly caret: TextRange;
}

/** What follows a secret in its line is hidden with it. */
function maskSecrets(line: string, lineStart: number, caret: TextRange, secrets: readonly TextRange[]): Marked {
  const secret = secrets[firstIndex(secrets, ({ end }) => end > lineStart)];
  const first = line.search(/\S/);
  const start = Math.max((secret?.start ?? Number.POSITIVE_INFINITY) - lineStart, first);
  if (first < 0 || start >= line.length) return { text: line, caret };
  const end = start + mask.length;
  return {
    text: line.slice(0, start) + mask,
    caret: { start: Math.min(caret.start, start), end: caret.end > start ? end : caret.end },
  };
}

function cutAround({ text, caret }: Marked): Omit<Excerpt, 'line'> {
  const width = Math.max(1, caret.end - caret.start);
  if (text.length <= longestExcerpt) return { column: caret.start + 1, width, text };
  const start = Math.max(0, Math.min(caret.start - 40, text.length - longestExcerpt));
  // What is cut at its start is left out: it may be a known secret, whose end alone nothing recognizes.
  const from = start === 0 ? 0 : start + text.slice(start, caret.start).search(/\s|$/);
  const to = characterBoundary(text, Math.min(text.length, from + longestExcerpt));
  const before = from > 0 ? ellipsis : '';
  const after = to < text.length ? ellipsis : '';
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
