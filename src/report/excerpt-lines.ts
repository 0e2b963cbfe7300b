import type { Excerpt } from '../model/diagnostic.ts';
import { wholeCharacters } from './cut-text.ts';
import { displayWidth } from './display-width.ts';
import { terminalText } from './harmless.ts';

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
