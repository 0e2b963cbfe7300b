import { diffArrays } from 'diff';
import { firstIndex } from '../values/first-index.ts';

/** A file before and after; null: there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Lines that are the same in both texts, or that take the place of each other: half-open ranges. */
export interface HunkPart {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
  readonly isSame: boolean;
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
  const old = linesOf(before ?? '');
  const next = linesOf(after ?? '');
  const lines = [
    before === null ? '--- /dev/null' : `--- a/${path}`,
    after === null ? '+++ /dev/null' : `+++ b/${path}`,
    ...hunksOf(old, next, usualContext).flatMap((hunk) => [
      hunkHeading(hunk),
      ...hunk.flatMap((part) => partLines(part, old, next)),
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
    const hunk = hunks.at(-1);
    if (!part.isSame || part.oldEnd - part.oldStart <= above + below) hunk?.push(part);
    else {
      hunk?.push(linesOfPart(part, part.oldStart, part.oldStart + above));
      hunks.push([linesOfPart(part, part.oldEnd - below, part.oldEnd)]);
    }
  }
  return hunks.filter((hunk) => hunk.some(({ isSame }) => !isSame));
}

/** Some of the lines that are the same. */
function linesOfPart({ oldStart, newStart }: HunkPart, from: number, to: number): HunkPart {
  const shift = newStart - oldStart;
  return { oldStart: from, oldEnd: to, newStart: from + shift, newEnd: to + shift, isSame: true };
}

/** `@@ -1,2 +1,2 @@` */
export function hunkHeading(hunk: Hunk): string {
  const { oldStart = 0, newStart = 0 } = hunk[0] ?? {};
  const { oldEnd = 0, newEnd = 0 } = hunk.at(-1) ?? {};
  return `@@ -${rangeText(oldStart, oldEnd)} +${rangeText(newStart, newEnd)} @@`;
}

/** An empty range is named by the line before it. */
function rangeText(start: number, end: number): string {
  const count = end - start;
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
}

/** Signed lines; what is removed comes before what is added. */
export function partLines(part: HunkPart, old: readonly string[], next: readonly string[]): readonly string[] {
  const { oldStart, oldEnd, newStart, newEnd, isSame } = part;
  const before = old.slice(oldStart, oldEnd).flatMap((line) => signed(isSame ? ' ' : '-', line));
  return isSame ? before : [...before, ...next.slice(newStart, newEnd).flatMap((line) => signed('+', line))];
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
  const parts: HunkPart[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [oldEnd, newEnd] of [...anchorsOf(old, next), [old.length, next.length] as const]) {
    for (const { added, removed, count } of changesOf(old.slice(oldAt, oldEnd), next.slice(newAt, newEnd))) {
      const isSame = !added && !removed;
      const last = parts.at(-1);
      const start = { oldStart: oldAt, newStart: newAt };
      oldAt += added ? 0 : count;
      newAt += removed ? 0 : count;
      // What is removed, and what is added in its place, are one change.
      if (last?.isSame === isSame) parts.pop();
      parts.push({ ...(last?.isSame === isSame ? last : start), isSame, oldEnd: oldAt, newEnd: newAt });
    }
  }
  return parts;
}

/** What does not fit into the limit is one change. */
function changesOf(old: string[], next: string[]) {
  const parts = diffArrays(old, next, { maxEditLength: mostChanges });
  const all = { added: false, removed: true, count: old.length };
  return parts ?? [all, { added: true, removed: false, count: next.length }];
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
