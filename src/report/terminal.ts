import { styleText } from 'node:util';

const emphases = ['bold', 'dim', 'red', 'green', 'yellow'] as const;

/** Emphasis for escaped text. Colour repeats what signs and words express, and is never the only carrier of meaning. */
export type Style = Readonly<Record<(typeof emphases)[number], (text: string) => string>>;

export const plainStyle = styleOf((_emphasis, text) => text);

/** The caller decides about colour, so the state of stdout is ignored. */
export const colourStyle = styleOf((emphasis, text) => styleText(emphasis, text, { validateStream: false }));

function styleOf(write: (emphasis: keyof Style, text: string) => string): Style {
  return Object.fromEntries(emphases.map((one) => [one, (text: string) => write(one, text)])) as Style;
}

/**
 * Columns of a text on a terminal: wide characters take two, combining ones none. The text is escaped. An approximation
 * of `string-width` is enough: its tables would be loaded by every command.
 */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

const printableAscii = /^[\x20-\x7e]*$/;
const combining = /^[\p{Mn}\p{Me}]$/u;
/** What terminals show in two columns (Unicode Standard Annex 11, classes W and F). */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

function widthOf(character: string): number {
  if ((character.codePointAt(0) ?? 0) < 0x300) return 1;
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text and spaces up to this width; a longer text stays as it is. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** At most this many columns of the start of a text. */
export function fitStart(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${startOf(text, width - 1)}…`;
}

function startOf(text: string, width: number): string {
  let [start, rest] = ['', width];
  for (const character of text) {
    rest -= widthOf(character);
    if (rest < 0) return start;
    start += character;
  }
  return start;
}

/** Words in lines of at most this many columns; a longer word is broken. A lone sign stays with the word after it. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<!(?:^| )[+→-]) /)) {
    const next = line === '' ? word : `${line} ${word}`;
    if (displayWidth(next) <= width) {
      line = next;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = word;
    while (displayWidth(line) > width) {
      const start = startOf(line, width) || line.slice(0, 1);
      lines.push(start);
      line = line.slice(start.length);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}
