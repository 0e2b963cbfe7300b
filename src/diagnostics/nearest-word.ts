import leven from 'leven';

const longestWord = 64;
const mostKnown = 10_000;

/**
 * The known word that a misspelt one was probably meant to be; undefined when none is near, or when there are too many
 * to compare. At most `mostLetters` differ, whatever the case; default: a third of them.
 */
export function nearestWord(
  word: string,
  known: readonly string[],
  mostLetters = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (word.length > longestWord || known.length > mostKnown) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = mostLetters + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = leven(wanted, candidate.toLowerCase(), { maxDistance: bestDistance });
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}
