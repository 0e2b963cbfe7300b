import { diffArrays } from 'diff';
import { firstIndex } from '../values/first-index.ts';

/** A file before and after; null: there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Lines of one text that take the place of lines of the other: half-open ranges. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export const context = 3;
/** The time grows with the square of the changed lines that have no unchanged line of their own between them. */
const mostChanges = 500;
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
  const names = [
    before === null ? '--- /dev/null' : `--- a/${path}`,
    after === null ? '+++ /dev/null' : `+++ b/${path}`,
  ];
  const lines = [...names, ...hunksOf(lineChanges(old, next)).flatMap((hunk) => hunkLines(hunk, old, next))];
  return `${lines.join('\n')}\n`;
}

/** Lines with their line ends, so that a changed line end is a changed line. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Changes that share lines of context. */
export function hunksOf(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && change.oldStart - last.oldEnd <= 2 * context) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkLines(hunk: readonly LineChange[], old: readonly string[], next: readonly string[]): readonly string[] {
  const [first] = hunk;
  const last = hunk.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = Math.max(0, first.oldStart - context);
  const end = Math.min(old.length, last.oldEnd + context);
  const newStart = first.newStart - (first.oldStart - start);
  const newEnd = last.newEnd + (end - last.oldEnd);
  const lines: string[] = [];
  let done = start;
  for (const { oldStart, oldEnd, newStart: from, newEnd: to } of hunk) {
    for (const line of old.slice(done, oldStart)) lines.push(...signed(' ', line));
    for (const line of old.slice(oldStart, oldEnd)) lines.push(...signed('-', line));
    for (const line of next.slice(from, to)) lines.push(...signed('+', line));
    done = oldEnd;
  }
  for (const line of old.slice(done, end)) lines.push(...signed(' ', line));
  return [`@@ -${rangeText(start, end)} +${rangeText(newStart, newEnd)} @@`, ...lines];
}

function signed(sign: string, line: string): readonly string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noFinalLineEnd];
}

/** An empty range is named by the line before it. */
function rangeText(start: number, end: number): string {
  const count = end - start;
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
}

/**
 * Lines that are in both texts once are the same lines if their order allows it; only between them are lines compared
 * one by one. So the time follows the size of the texts, even if thousands of places differ.
 */
export function lineChanges(old: readonly string[], next: readonly string[]): readonly LineChange[] {
  const changes: LineChange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const [oldAt, newAt] of [...anchorsOf(old, next), [old.length, next.length] as const]) {
    addChanges(changes, old, next, { oldStart, oldEnd: oldAt, newStart, newEnd: newAt });
    oldStart = oldAt;
    newStart = newAt;
  }
  return changes;
}

function addChanges(changes: LineChange[], old: readonly string[], next: readonly string[], range: LineChange): void {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === next[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === next[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  if (oldStart === oldEnd && newStart === newEnd) return;
  const parts =
    oldStart === oldEnd || newStart === newEnd
      ? undefined
      : diffArrays(old.slice(oldStart, oldEnd), next.slice(newStart, newEnd), { maxEditLength: mostChanges });
  if (parts === undefined) {
    changes.push({ oldStart, oldEnd, newStart, newEnd });
    return;
  }
  let open = false;
  for (const { added, removed, count } of parts) {
    const last = changes.at(-1);
    const change = {
      oldStart,
      oldEnd: oldStart + (added ? 0 : count),
      newStart,
      newEnd: newStart + (removed ? 0 : count),
    };
    if (!added && !removed) open = false;
    else if (open && last !== undefined)
      changes[changes.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
    else {
      changes.push(change);
      open = true;
    }
    oldStart = change.oldEnd;
    newStart = change.newEnd;
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
