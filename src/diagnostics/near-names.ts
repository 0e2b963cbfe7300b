import { memoized, once } from '../values/memoized.ts';
import { literalsOf, wildcardMatcher } from '../values/selector.ts';
import { commonStart, compareText } from '../values/text-order.ts';

/** Of a longer text, only the start is compared. */
const longest = 300;
/** A shorter end is a part of many names. */
const shortestEnd = 4;

/** Names, among which the one that a misspelt text probably means is found, however many there are. */
export type NearNames = ReturnType<typeof openNames>;

export function openNames(list: Iterable<string>) {
  const index = memoized(indexOf);
  const byText = once(() => new Map(index(list).entries));
  return {
    /**
     * The name nearest to a pattern: with at most two mistakes, or another case, spaces at the edges and invisible
     * characters. A mistake is a letter too many, too few or another one, or swapped with the next. `*` in the pattern
     * matches any text.
     *
     *   defualt     near default
     *   clinet_id:* near client_id:web
     *   web-store   near client_id:web-store
     *   web-*       near client_id:web-store
     */
    near(pattern: string): string | undefined {
      const { entries, ends, shared } = index(list);
      const wanted = folded(pattern);
      const letters = lettersOf(wanted);
      return nearestOf([
        // Two letters of a short word make another word.
        ...within(entries, shared, literalsOf(wanted), Math.min(2, Math.floor(letters / 3))),
        ...(letters < shortestEnd ? [] : matching(ends, wanted)),
        // A key that reports print ends with the name.
        ...endsOf(wanted).flatMap((end) => (lettersOf(end) < shortestEnd ? [] : matching(entries, end))),
      ]);
    },
    /** The name nearest to a word. Default: a mistake for each three letters, and at most three. */
    nearest(word: string, mostMistakes = Math.max(1, Math.min(3, Math.floor(word.length / 3)))) {
      const { entries, shared } = index(list);
      return nearestOf(within(entries, shared, [folded(word)], mostMistakes));
    },
    /**
     * The name that a word is with two neighbouring letters swapped, or in another case. For permissions: with any other
     * mistake a name may be that of another permission, which allows more.
     *
     *   raed:users   is read:users
     *   r:users      is not w:users, and read:user is not read:users
     */
    swapped(word: string): string | undefined {
      const wanted = folded(word);
      const texts = [...wanted.matchAll(/(?=(\p{L})(\p{L}))/gu)].map(
        ({ index, 1: one = '', 2: other = '' }) =>
          wanted.slice(0, index) + other + one + wanted.slice(index + one.length + other.length),
      );
      const known = byText();
      return [wanted, ...texts].map((text) => known.get(text)).find((name) => name !== undefined);
    },
  };
}

/** The known word that a misspelt one was probably meant to be; undefined when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  return openNames(known).nearest(word);
}

/** The hint that names what was probably meant; undefined if nothing is near. */
export function didYouMean(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

type Entry = readonly [text: string, name: string];
type Found = readonly [name: string, distance: number];

function nearestOf(found: readonly Found[]): string | undefined {
  return found.toSorted(([, one], [, other]) => one - other)[0]?.[0];
}

/** Entries by text, and the number of letters that each begins with like the one before it; and what else is a name. */
function indexOf(names: Iterable<string>) {
  const entries = [...new Set(names)]
    .map((name): Entry => [folded(name), name])
    .sort(([a, b], [c, d]) => compareText(a, c) || compareText(b, d));
  const shared = Uint16Array.from(entries, ([text], index) => commonStart(text, entries[index - 1]?.[0] ?? ''));
  return { entries, shared, ends: entries.flatMap(([text, name]) => endsOf(text).map((end): Entry => [end, name])) };
}

function matching(entries: readonly Entry[], pattern: string): Found[] {
  const matches = wildcardMatcher(pattern);
  return entries.filter(([text]) => matches(text)).map(([, name]) => [name, 1]);
}

/** Texts that look the same are equal afterwards. */
function folded(text: string): string {
  const start = text.slice(0, longest);
  const plain = /^[\x20-\x7e]*$/.test(start) ? start : start.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return plain.trim().toLowerCase().slice(0, longest);
}

/** What follows each colon and slash. */
function endsOf(text: string): string[] {
  const ends = [...text.matchAll(/[:/]/g)].map(({ index }) => text.slice(index + 1));
  return ends.filter(({ length }) => length >= shortestEnd);
}

function lettersOf(pattern: string): number {
  return literalsOf(pattern).join('').length;
}

/** Any text, among the letters of a pattern. */
const wildcard = -1;

/** Distances from each start of a text, in rows, to each start of a pattern. Reused, because many texts are compared. */
const table = new Uint8ClampedArray((longest + 1) ** 2);

/**
 * All entries that a pattern matches with at most `limit` letters inserted, deleted, replaced, or swapped with the next
 * one. Texts that begin alike share rows of the table, of which the last one may be too far from every start of the pattern.
 */
function within(entries: readonly Entry[], shared: Uint16Array, pieces: readonly string[], limit: number): Found[] {
  const codesOf = (piece: string) => piece.split('').map((letter) => letter.charCodeAt(0));
  const pattern = pieces.flatMap((piece, index) => [...(index === 0 ? [] : [wildcard]), ...codesOf(piece)]);
  // Without `*`, a start of the text is too far from every start of the pattern that is longer or shorter by more than that.
  const band = pieces.length === 1 ? limit : longest;
  const found: Found[] = [];
  let rows = 0;
  let isNear = true;
  for (const [index, [text, name]] of entries.entries()) {
    const common = (shared[index] as number) + 1;
    isNear ||= common < rows;
    for (rows = Math.min(rows, common); isNear && rows <= text.length; rows += 1)
      isNear = fillRow(rows, text, pattern, band) <= limit;
    if (rows <= text.length || Math.abs(text.length - pattern.length) > band) continue;
    const distance = table[text.length * (longest + 1) + pattern.length] as number;
    if (distance <= limit) found.push([name, distance]);
  }
  return found;
}

/**
 * Adds the row after a letter of a text, the first one before any: what is at most `band` columns off the diagonal, with a
 * large number on either side. Returns the least distance in it.
 */
function fillRow(row: number, text: string, pattern: readonly number[], band: number): number {
  const [before, letter] = [text.charCodeAt(row - 2), text.charCodeAt(row - 1)];
  const here = row * (longest + 1);
  const above = here - longest - 1;
  const first = Math.max(1, row - band);
  const last = Math.min(pattern.length, row + band);
  let left = first === 1 ? row : Number.POSITIVE_INFINITY;
  let least = left;
  table[here + first - 1] = left;
  for (let column = first; column <= last; column += 1) {
    const wanted = pattern[column - 1];
    const up = row === 0 ? Number.POSITIVE_INFINITY : (table[above + column] as number);
    const diagonal = row === 0 ? up : (table[above + column - 1] as number);
    if (wanted === wildcard) left = Math.min(left, up);
    else left = Math.min(left + 1, up + 1, wanted === letter ? diagonal : diagonal + 1);
    if (wanted === before && pattern[column - 2] === letter)
      left = Math.min(left, (table[above - longest + column - 3] as number) + 1);
    table[here + column] = left;
    least = Math.min(least, left);
  }
  if (last < pattern.length) table[here + last + 1] = Number.POSITIVE_INFINITY;
  return least;
}
