import type { Excerpt } from '../model/diagnostic.ts';
import { wholeCharacters } from './cut-text.ts';
import { terminalText } from './escape.ts';

/** Of a long line, and of a long fault, only this much is shown on either side, in UTF-16 units. */
const around = 80;

/**
 * The faulty line, and a row of carets under the fault. Columns are counted in the file, but carets stand under what is shown,
 * so the part before the fault is made harmless first and then measured:
 *
 *   <tab>name: x   at column 2  ->  8 | \tname: x
 *                                     |   ^^^^
 */
export function excerptLines(excerpt: Excerpt): string[] {
  const { before, fault, after } = partsOf(excerpt);
  const number = String(excerpt.line);
  const carets = ' '.repeat(displayWidth(before)) + '^'.repeat(Math.max(1, displayWidth(fault)));
  return [`${number} | ${before}${fault}${after}`.trimEnd(), `${' '.repeat(number.length)} | ${carets}`];
}

/** What is shown of a line, already harmless. */
function partsOf({ text, column, width }: Excerpt): {
  readonly before: string;
  readonly fault: string;
  readonly after: string;
} {
  const start = Math.min(column - 1, text.length);
  const end = wholeCharacters(text, Math.min(start + width, start + around, text.length));
  const from = start > around ? wholeCharacters(text, start - around) : 0;
  const to = text.length - end > around ? wholeCharacters(text, end + around) : text.length;
  return {
    before: (from > 0 ? '…' : '') + terminalText(text.slice(from, start)),
    fault: terminalText(text.slice(start, end)),
    after: terminalText(text.slice(end, to)) + (to < text.length ? '…' : ''),
  };
}

/** Characters that a terminal draws over two columns: East Asian wide and fullwidth forms, and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;
/** Characters that are drawn over the one before them. */
const combining = /^[\p{Mn}\p{Me}]$/u;

/** Columns that a harmless text takes on a terminal. */
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
