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
