/** `a, b and c` */
export function listed(words: readonly unknown[], last: 'and' | 'or' = 'and'): string {
  const texts = words.map(String);
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${last} ${texts.at(-1)}`;
}

const mostNames = 10;

/** `a, b and c` would be too long for many names: the first ones, and the number of the others. */
export function listOf(names: readonly string[], most = mostNames): string {
  const rest = names.length - most;
  const shown = names.slice(0, most).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
