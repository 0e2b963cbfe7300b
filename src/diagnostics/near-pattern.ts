import { matchesWildcard } from '../values/selector.ts';
import { compareText } from '../values/text-order.ts';

/** A longer text is compared for equality only. */
const longestCompared = 255;

/**
 * The names that a misspelt pattern probably means, the nearest first: at most two letters differ, or only case, spaces
 * at the edges and invisible characters do. `*` in the pattern matches any text.
 *
 *   defualt     near default
 *   clinet_id:* near client_id:web
 *   web-store   near client_id:web-store
 *   web-*       near client_id:web-store
 */
export function nearNames(pattern: string, names: readonly string[]): string[] {
  const wanted = folded(pattern);
  const found = new Map<string, number>();
  for (const name of names) {
    if (found.has(name)) continue;
    const distance = distanceToPattern(wanted, folded(name));
    if (distance !== null) found.set(name, distance);
  }
  return [...found].sort(([one, d1], [other, d2]) => d1 - d2 || compareText(one, other)).map(([name]) => name);
}

/** Texts that look the same are equal afterwards. */
function folded(text: string): string {
  // Normalization takes a time that grows with the square of the length.
  if (text.length > longestCompared || /^[\x20-\x7e]*$/.test(text)) return text.trim().toLowerCase();
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
}

/**
 * True if the pattern matches the end of a longer name, such as the id after `client_id:`; or the other way round, if
 * its end matches the name, as in a key that reports print.
 */
function matchesAnEnd(pattern: string, name: string): boolean {
  return (
    (lettersOf(pattern) >= shortestEnd && endsOf(name).some((end) => matchesWildcard(pattern, end))) ||
    endsOf(pattern).some((end) => lettersOf(end) >= shortestEnd && matchesWildcard(end, name))
  );
}

/** A shorter end is a part of many names. */
const shortestEnd = 4;

/** What follows each colon and slash; of a long text, only the last ones. */
function endsOf(text: string): string[] {
  const tail = text.slice(-longestCompared);
  return [...tail.matchAll(/[:/]/g)].map(({ index }) => tail.slice(index + 1));
}

function lettersOf(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}

/** Two rows of the table of distances; reused, because many names are compared. */
const rows: readonly [Uint16Array, Uint16Array] = [
  new Uint16Array(longestCompared + 1),
  new Uint16Array(longestCompared + 1),
];

/** The number of letters to insert, delete or replace until the pattern matches; null if they are too many. */
function distanceToPattern(pattern: string, name: string): number | null {
  if (matchesWildcard(pattern, name)) return 0;
  const letters = lettersOf(pattern);
  const stars = pattern.length - letters;
  // Two letters of a short word make another word.
  const limit = Math.min(2, Math.floor(letters / 3));
  if (matchesAnEnd(pattern, name)) return 1;
  const isTooLong = pattern.length > longestCompared || name.length > longestCompared;
  if (limit === 0 || isTooLong || name.length < letters - limit) return null;
  if (stars === 0 && name.length > letters + limit) return null;
  let [above, row] = rows;
  for (let column = 0; column <= name.length; column += 1) above[column] = column;
  let afterStar = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const isStar = pattern[index] === '*';
    afterStar ||= isStar;
    // Before a star, a letter stays near its place, so most names end the search at once.
    const last = afterStar ? name.length : Math.min(name.length, index + 1 + limit);
    let best = isStar ? (above[0] ?? 0) : index + 1;
    row[0] = best;
    for (let column = 1; column <= last; column += 1) {
      const [left, up] = [row[column - 1] ?? 0, above[column] ?? 0];
      const same = pattern[index] === name[column - 1] ? 0 : 1;
      const distance = isStar ? Math.min(left, up) : Math.min(left + 1, up + 1, (above[column - 1] ?? 0) + same);
      row[column] = distance;
      if (distance < best) best = distance;
    }
    for (let column = last + 1; column <= name.length; column += 1) row[column] = limit + 1;
    if (best > limit) return null;
    [above, row] = [row, above];
  }
  const distance = above[name.length] ?? 0;
  return distance <= limit ? distance : null;
}
