import { memoized } from '../values/memoized.ts';
import { literalsOf, wildcardMatcher } from '../values/selector.ts';
import { commonStart, compareText } from '../values/text-order.ts';

/** Of a longer text, only the start is compared. */
const longest = 1_000;
/** A shorter end is a part of many names. */
const shortestEnd = 4;

/** Names, among which all that a misspelt text may mean are found, however many there are. */
export type NearNames = ReturnType<typeof openNames>;

export function openNames(list: Iterable<string>) {
  const index = memoized(indexOf);
  return {
    /**
     * The names near a pattern, the nearest first: at most two letters differ, or only case, spaces at the edges and
     * invisible characters do. `*` in the pattern matches any text.
     *
     *   defualt     near default
     *   clinet_id:* near client_id:web
     *   web-store   near client_id:web-store
     *   web-*       near client_id:web-store
     */
    near(pattern: string): string[] {
      const { entries, ends, shared } = index(list);
      const wanted = folded(pattern);
      const letters = lettersOf(wanted);
      return named([
        // Two letters of a short word make another word.
        ...within(entries, shared, literalsOf(wanted), Math.min(2, Math.floor(letters / 3))),
        ...(letters < shortestEnd ? [] : matching(ends, wanted)),
        // A key that reports print ends with the name.
        ...endsOf(wanted).flatMap((end) => (lettersOf(end) < shortestEnd ? [] : matching(entries, end))),
      ]);
    },
    /** The name nearest to a word. At most `mostLetters` differ; default: a third of them, and at most three. */
    nearest(word: string, mostLetters = Math.max(1, Math.min(3, Math.floor(word.length / 3)))) {
      const { entries, shared } = index(list);
      return named(within(entries, shared, [folded(word)], mostLetters))[0];
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

function named(found: readonly Found[]): string[] {
  return [...new Set(found.toSorted(([, one], [, other]) => one - other).map(([name]) => name))];
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

/**
 * Distances from each start of a text, in rows, to each start of a pattern. Of a row, only the columns from the first to
 * the last one within the limit are computed. Reused, because many texts are compared.
 */
const table = new Uint8Array((longest + 1) ** 2);
const firsts = new Uint16Array(longest + 1);
const lasts = new Uint16Array(longest + 1);

/**
 * All entries that a pattern matches with at most `limit` letters inserted, deleted or replaced. Texts that begin alike
 * share rows of the table, and a start that is too far from every start of the pattern excludes all of them.
 */
function within(entries: readonly Entry[], shared: Uint16Array, pieces: readonly string[], limit: number): Found[] {
  const pattern = Int32Array.from(
    pieces.flatMap((piece, index) => [
      ...(index === 0 ? [] : [wildcard]),
      ...piece.split('').map((letter) => letter.charCodeAt(0)),
    ]),
  );
  const found: Found[] = [];
  fillRow(0, 0, pattern, limit);
  let common = 0;
  let excluded = Number.POSITIVE_INFINITY;
  for (let index = 0; index < entries.length; index += 1) {
    common = Math.min(common, shared[index] as number);
    if (common >= excluded) continue;
    const [text, name] = entries[index] as Entry;
    let length = common;
    while (length < text.length && fillRow(length + 1, text.charCodeAt(length), pattern, limit)) length += 1;
    common = text.length;
    excluded = length < text.length ? length + 1 : Number.POSITIVE_INFINITY;
    if (length === text.length && lasts[length] === pattern.length)
      found.push([name, table[length * (longest + 1) + pattern.length] as number]);
  }
  return found;
}

/** Adds the row after a letter of a text, the first one before any; false if no column of it is within the limit. */
function fillRow(row: number, letter: number, pattern: Int32Array, limit: number): boolean {
  const far = limit + 1;
  const here = row * (longest + 1);
  const above = here - longest - 1;
  const first = row === 0 ? 0 : (firsts[row - 1] as number);
  const last = row === 0 ? -1 : (lasts[row - 1] as number);
  let near = -1;
  let left = row === 0 ? -1 : far;
  let diagonal = far;
  for (let column = first; column <= pattern.length && (left <= limit || column <= last + 1); column += 1) {
    const up = column <= last ? (table[above + column] as number) : far;
    const wanted = column === 0 ? 0 : pattern[column - 1];
    if (wanted === wildcard) left = left < up ? left : up;
    else {
      const least = left < up ? left + 1 : up + 1;
      const replaced = wanted === letter ? diagonal : diagonal + 1;
      left = least < replaced ? least : replaced;
    }
    diagonal = up;
    table[here + column] = left;
    if (left > limit) continue;
    if (near < 0) near = column;
    lasts[row] = column;
  }
  firsts[row] = near;
  return near >= 0;
}
