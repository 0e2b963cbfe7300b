import { matchesWildcard } from '../values/selector.ts';
import { compareText } from '../values/text-order.ts';

/** A longer text is compared for equality only. */
const longestCompared = 255;

/**
 * Whether a name is probably what a misspelt pattern means: at most two letters differ, or only case, spaces at the
 * edges and invisible characters do. `*` in the pattern matches any text.
 *
 *   defualt     near default
 *   clinet_id:* near client_id:web
 */
export function isNearPattern(pattern: string, name: string): boolean {
  return distanceToPattern(folded(pattern), folded(name)) !== null;
}

/** The name that is nearest to a pattern; the first in text order if there are several, null if none is near. */
export function nearestName(pattern: string, names: readonly string[]): string | null {
  const wanted = folded(pattern);
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of names) {
    const distance = distanceToPattern(wanted, folded(name));
    if (distance === null || (best !== null && distance > best.distance)) continue;
    if (best === null || distance < best.distance || compareText(name, best.name) < 0) best = { name, distance };
  }
  return best?.name ?? null;
}

/** Texts that look the same are equal afterwards. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
}

/** The number of letters to insert, delete or replace until the pattern matches; null if they are too many. */
function distanceToPattern(pattern: string, name: string): number | null {
  if (matchesWildcard(pattern, name)) return 0;
  const letters = pattern.replaceAll('*', '').length;
  // Two letters of a short word make another word.
  const limit = Math.min(2, Math.floor(letters / 3));
  const isTooLong = pattern.length > longestCompared || name.length > longestCompared;
  if (limit === 0 || isTooLong || name.length < letters - limit) return null;
  if (!pattern.includes('*') && name.length > letters + limit) return null;
  let row = Array.from({ length: name.length + 1 }, (_empty, index) => index);
  for (const [index, letter] of [...pattern].entries()) {
    const above = row;
    row = [letter === '*' ? (above[0] ?? 0) : index + 1];
    for (let column = 1; column < above.length; column += 1) {
      const [left, up, corner] = [row[column - 1] ?? 0, above[column] ?? 0, above[column - 1] ?? 0];
      const same = letter === name[column - 1] ? 0 : 1;
      row.push(letter === '*' ? Math.min(left, up) : Math.min(left + 1, up + 1, corner + same));
    }
    if (Math.min(...row) > limit) return null;
  }
  const distance = row.at(-1) ?? 0;
  return distance <= limit ? distance : null;
}
