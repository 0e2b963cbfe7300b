import { diffArrays } from 'diff';
import { firstIndex } from '../values/first-index.ts';

/** A file before and after; null: there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Lines of one text that take the place of lines of the other: half-open ranges. */
interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Lines of a hunk: the same in both texts, or a change. */
export interface HunkPart extends LineChange {
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
  const groups: LineChange[][] = [];
  for (const change of lineChanges(old, next)) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.oldStart - last.oldEnd <= 2 * context) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups.map((changes) => withContext(changes, old.length, context));
}

function withContext(changes: readonly LineChange[], length: number, context: number): Hunk {
  const parts: HunkPart[] = [];
  const addSame = (oldStart: number, oldEnd: number, shift: number) => {
    if (oldEnd > oldStart)
      parts.push({ oldStart, oldEnd, newStart: oldStart + shift, newEnd: oldEnd + shift, isSame: true });
  };
  let done = Math.max(0, (changes[0]?.oldStart ?? 0) - context);
  for (const change of changes) {
    addSame(done, change.oldStart, change.newStart - change.oldStart);
    parts.push({ ...change, isSame: false });
    done = change.oldEnd;
  }
  const { oldEnd = 0, newEnd = 0 } = changes.at(-1) ?? {};
  addSame(done, Math.min(length, done + context), newEnd - oldEnd);
  return parts;
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
 * Lines that are in both texts once are the same lines if their order allows it; only between them are lines compared
 * one by one. So the time follows the size of the texts, even if thousands of places differ.
 */
function lineChanges(old: readonly string[], next: readonly string[]): readonly LineChange[] {
  const changes: LineChange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const [oldEnd, newEnd] of [...anchorsOf(old, next), [old.length, next.length] as const]) {
    addChanges(changes, old, next, { oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd;
    newStart = newEnd;
  }
  return changes;
}

function addChanges(changes: LineChange[], old: readonly string[], next: readonly string[], range: LineChange): void {
  let { oldStart, newStart } = range;
  const lines = [old.slice(oldStart, range.oldEnd), next.slice(newStart, range.newEnd)] as const;
  const parts = diffArrays(...lines, { maxEditLength: mostChanges });
  if (parts === undefined) {
    changes.push(range);
    return;
  }
  for (const { added, removed, count } of parts) {
    const start = { oldStart, newStart };
    oldStart += added ? 0 : count;
    newStart += removed ? 0 : count;
    if (!added && !removed) continue;
    // What is removed, and what is added in its place, are one change.
    const last = changes.at(-1);
    const isSameChange = last?.oldEnd === start.oldStart && last.newEnd === start.newStart;
    if (isSameChange) changes.pop();
    changes.push({ ...(isSameChange ? last : start), oldEnd: oldStart, newEnd: newStart });
  }
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
