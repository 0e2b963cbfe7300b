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
const emoji = /^\p{Emoji_Presentation}$/u;
/** Blocks that terminals show in two columns (Unicode Standard Annex 11, classes W and F). */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (combining.test(character)) return 0;
  return wide.some(([first, last]) => code >= first && code <= last) || emoji.test(character) ? 2 : 1;
}

/** The text and spaces up to this width; a longer text stays as it is. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

const ellipsis = '…';

/** At most this many columns of the start of a text. */
export function fitStart(text: string, width: number): string {
  return displayWidth(text) <= width ? text : startOf([...text], width - 1) + ellipsis;
}

/** At most this many columns of the end of a text: of a place, the line is what counts. */
export function fitEnd(text: string, width: number): string {
  return displayWidth(text) <= width ? text : ellipsis + endOf([...text], width - 1);
}

/** At most this many columns of the start and the end of a text: names often share one of them. */
export function fitMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = [...text];
  const left = Math.ceil((width - 1) / 2);
  return startOf(characters, left) + ellipsis + endOf(characters, width - 1 - left);
}

function startOf(characters: readonly string[], width: number): string {
  let rest = width;
  const end = characters.findIndex((character) => {
    rest -= widthOf(character);
    return rest < 0;
  });
  return characters.slice(0, end < 0 ? undefined : end).join('');
}

function endOf(characters: readonly string[], width: number): string {
  return [...startOf(characters.toReversed(), width)].reverse().join('');
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
    if (line !== '') lines.push(line);
    line = word;
    while (displayWidth(line) > width) {
      const start = startOf([...line], width) || [...line].slice(0, 1).join('');
      lines.push(start);
      line = line.slice(start.length);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}
