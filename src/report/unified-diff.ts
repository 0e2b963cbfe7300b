import { diffArrays } from 'diff';
import { firstIndex } from '../values/first-index.ts';

/** A file before and after; null: there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Lines that are the same in both texts, or that take the place of each other, after so many others. */
export interface HunkPart {
  readonly isSame: boolean;
  readonly oldStart: number;
  readonly newStart: number;
  readonly old: readonly string[];
  readonly next: readonly string[];
}

/** Changes that share lines of context, with these lines. */
export type Hunk = readonly HunkPart[];

/** Unchanged lines around a change. */
export const usualContext = 3;
/** The time grows with the square of the changed lines that have no unchanged line of their own between them. */
const mostChanges = 200;
const noFinalLineEnd = '\\ No newline at end of file';

/**
 * A unified diff, as `git diff` and `patch` understand it; empty if nothing differs.
 *
 *   --- a/roles.yaml
 *   +++ b/roles.yaml
 *   @@ -1,2 +1,2 @@
 *    roles:
 *   -  - name: Support
 *   +  - name: Help desk
 */
export function unifiedDiff({ path, before, after }: FileChange): string {
  if (before === after) return '';
  const lines = [
    before === null ? '--- /dev/null' : `--- a/${path}`,
    after === null ? '+++ /dev/null' : `+++ b/${path}`,
    ...hunksOf(linesOf(before ?? ''), linesOf(after ?? ''), usualContext).flatMap((hunk) => [
      hunkHeading(hunk),
      ...hunk.flatMap(partLines),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Lines with their line ends, so that a changed line end is a changed line. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

export function hunksOf(old: readonly string[], next: readonly string[], context: number): readonly Hunk[] {
  const parts = partsOf(old, next);
  const hunks: HunkPart[][] = [[]];
  for (const [index, part] of parts.entries()) {
    const [above, below] = [index === 0 ? 0 : context, index === parts.length - 1 ? 0 : context];
    const { length } = part.old;
    const hunk = hunks.at(-1);
    if (!part.isSame || length <= above + below) hunk?.push(part);
    else {
      hunk?.push(linesOfPart(part, 0, above));
      hunks.push([linesOfPart(part, length - below, length)]);
    }
  }
  return hunks.filter((hunk) => hunk.some(({ isSame }) => !isSame));
}

/** Some of the lines that are the same. */
function linesOfPart({ isSame, oldStart, newStart, old, next }: HunkPart, from: number, to: number): HunkPart {
  const start = { oldStart: oldStart + from, newStart: newStart + from };
  return { isSame, ...start, old: old.slice(from, to), next: next.slice(from, to) };
}

/** `@@ -1,2 +1,2 @@` */
export function hunkHeading(hunk: Hunk): string {
  const { oldStart = 0, newStart = 0 } = hunk[0] ?? {};
  const count = (side: 'old' | 'next') => hunk.reduce((sum, part) => sum + part[side].length, 0);
  return `@@ -${rangeText(oldStart, count('old'))} +${rangeText(newStart, count('next'))} @@`;
}

/** An empty range is named by the line before it. */
function rangeText(start: number, count: number): string {
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
}

/** Signed lines; what is removed comes before what is added. */
export function partLines({ isSame, old, next }: HunkPart): readonly string[] {
  if (isSame) return old.flatMap((line) => signed(' ', line));
  return [...old.flatMap((line) => signed('-', line)), ...next.flatMap((line) => signed('+', line))];
}

function signed(sign: string, line: string): readonly string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noFinalLineEnd];
}

/**
 * Both texts in parts, by turns the same and changed. Lines that are in both once are the same lines if their order allows
 * it; only between them are lines compared one by one. So the time follows the size of the texts, even if thousands of
 * places differ.
 */
function partsOf(old: readonly string[], next: readonly string[]): readonly HunkPart[] {
  const parts: (HunkPart & { readonly old: string[]; readonly next: string[] })[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const [oldEnd, newEnd] of [...anchorsOf(old, next), [old.length, next.length] as const]) {
    for (const { added, removed, value } of changesOf(old.slice(oldStart, oldEnd), next.slice(newStart, newEnd))) {
      const isSame = !added && !removed;
      // What is removed, and what is added in its place, are one change.
      if (parts.at(-1)?.isSame !== isSame) parts.push({ isSame, oldStart, newStart, old: [], next: [] });
      const part = parts.at(-1);
      for (const line of value) {
        if (!added) part?.old.push(line);
        if (!removed) part?.next.push(line);
      }
      oldStart += added ? 0 : value.length;
      newStart += removed ? 0 : value.length;
    }
  }
  return parts;
}

/** What does not fit into the limit is one change. */
function changesOf(old: string[], next: string[]) {
  const parts = diffArrays(old, next, { maxEditLength: mostChanges });
  const all = { added: false, removed: true, value: old };
  return parts ?? [all, { added: true, removed: false, value: next }];
}

/** Pairs of lines that are once in each text, in an order that both have. */
function anchorsOf(old: readonly string[], next: readonly string[]): readonly (readonly [number, number])[] {
  const newPlaces = onceIn(next);
  const pairs = [...onceIn(old)].flatMap(([line, oldAt]) => {
    const newAt = newPlaces.get(line);
    return newAt === undefined ? [] : [[oldAt, newAt] as const];
  });
  return longestRising(pairs.sort(([left], [right]) => left - right));
}

function onceIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, line] of lines.entries()) places.set(line, places.has(line) ? -1 : index);
  for (const [line, index] of places) if (index < 0) places.delete(line);
  return places;
}

/** The longest selection in which the second numbers rise as well. */
function longestRising(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, newAt]] of pairs.entries()) {
    const at = firstIndex(ends, (end) => (pairs[end]?.[1] ?? 0) >= newAt);
    previous.push(ends[at - 1] ?? -1);
    ends[at] = index;
  }
  const selected: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) selected.push(pair);
  }
  return selected.reverse();
}
