import type { Excerpt } from '../model/diagnostic.ts';
import { characterBoundary } from './cut-text.ts';
import { displayWidth } from './display-width.ts';
import { terminalText } from './escape.ts';

/** The most of a long line, or of a long marked range, that is shown on either side, in UTF-16 units. */
const around = 80;

/**
 * The line, and carets under its marked range. Columns count characters of the file, but carets are placed under
 * escaped text, so the part before the range is escaped first and then measured:
 *
 *   <tab>name: x   at column 2  ->  8 | \tname: x
 *                                     |   ^^^^
 */
export function excerptLines(excerpt: Excerpt): string[] {
  const { before, marked, after } = partsOf(excerpt);
  const number = String(excerpt.line);
  const carets = ' '.repeat(displayWidth(before)) + '^'.repeat(Math.max(1, displayWidth(marked)));
  const above = (excerpt.above ?? []).map(({ line, text }) =>
    `${String(line).padStart(number.length)} | ${shortened(text)}`.trimEnd(),
  );
  return [...above, `${number} | ${before}${marked}${after}`.trimEnd(), `${' '.repeat(number.length)} | ${carets}`];
}

function shortened(text: string): string {
  const end = characterBoundary(text, Math.min(2 * around, text.length));
  return terminalText(text.slice(0, end)) + (end < text.length ? '…' : '');
}

/** The escaped parts of the line that are shown. */
function partsOf({ text, column, width }: Excerpt): {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
} {
  const start = Math.min(column - 1, text.length);
  const end = characterBoundary(text, Math.min(start + width, start + around, text.length));
  const from = start > around ? characterBoundary(text, start - around) : 0;
  const to = text.length - end > around ? characterBoundary(text, end + around) : text.length;
  return {
    before: (from > 0 ? '…' : '') + terminalText(text.slice(from, start)),
    marked: terminalText(text.slice(start, end)),
    after: terminalText(text.slice(end, to)) + (to < text.length ? '…' : ''),
  };
}
