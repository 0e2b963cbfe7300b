import type { Excerpt } from '../model/diagnostic.ts';
import { characterBoundary } from './cut-text.ts';
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

/** Characters of two columns: East Asian wide and fullwidth forms, and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;
/** Characters drawn over the previous one. */
const combining = /^[\p{Mn}\p{Me}]$/u;

/**
 * Columns that escaped text takes on a terminal. Only carets need them, so an approximation of `string-width` is
 * enough: its tables would be loaded by every command, and the bundle replaces them by a stub (scripts/build.mjs).
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (character <= '\x7e') return 1;
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
