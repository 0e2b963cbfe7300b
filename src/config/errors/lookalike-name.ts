import type { ProblemText } from './problem.ts';

/** Most names: no other name looks the same. */
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Format characters, and those that choose between two forms of a letter or are shown as nothing. */
const invisibleCharacter = /\p{Cf}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/u;

/** In UTF-16 units. */
const longestName = 1000;

/**
 * Two names that look the same must be the same, or an item that a reviewer takes for a declared one is another. The
 * texts do not show the name: it may come from a variable, and the excerpt shows its place.
 */
export function lookalikeProblem(name: string): ProblemText | null {
  if (plain.test(name)) return null;
  // Normalization takes a time that grows with the square of the length.
  if (name.length > longestName)
    return refused(`has more than ${longestName} characters, and not only plain ones`, 'use a shorter name');
  const invisible = invisibleCharacter.exec(name);
  if (invisible !== null) {
    const code = (invisible[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = [...name.slice(0, invisible.index)].length + 1;
    return refused(`contains the invisible character U+${code}, its character ${position}`, 'delete the character');
  }
  if (name.trim() !== name) return refused('begins or ends with a blank', 'delete the blank');
  if (name.normalize('NFC') !== name)
    return refused('is not in Unicode normalization form NFC', 'type its letters again, or convert the file to NFC');
  return null;
}

function refused(why: string, hint: string): ProblemText {
  const message = `This name ${why}. Names that look the same must be the same.`;
  return { code: 'CONFIG_LOOKALIKE_NAME', message, hint };
}
