import leven from 'leven';

/** The known word that a misspelt one was probably meant to be; undefined when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = leven(wanted, candidate.toLowerCase(), { maxDistance: bestDistance });
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}
