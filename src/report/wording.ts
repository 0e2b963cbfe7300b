import type { Approval } from '../model/plan.generated.ts';
import { characterBoundary } from '../values/character-boundary.ts';
import { thousands } from '../values/thousands.ts';

export { thousands };

/** 1, 'error' -> 1 error; 2, 'error' -> 2 errors */
export function quantity(count: number, noun: string, many = `${noun}s`): string {
  return `${thousands(count)} ${count === 1 ? noun : many}`;
}

/** `approved by …` */
export function approverName(by: Approval['by']): string {
  return by === 'interrupted apply' ? 'an interrupted apply' : by;
}

/** `3 missing`, `1 different`: what there is none of is left out. */
export function countsOf(counts: readonly (readonly [count: number, what: string])[]): readonly string[] {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : `${thousands(count)} ${what}`));
}

/** `9 changes: 3 to delete, 6 to add`; `none` without any. */
export function totalText(noun: string, counts: readonly (readonly [count: number, what: string])[], none: string) {
  const total = counts.reduce((sum, [count]) => sum + count, 0);
  return total === 0 ? none : `${quantity(total, noun)}: ${countsOf(counts).join(', ')}`;
}

/** The first texts of a list, and last the number of the others. One more text is as short as its number. */
export function shortList(
  texts: readonly string[],
  most: number,
  more = (rest: number) => `and ${thousands(rest)} more`,
): readonly string[] {
  const rest = texts.length - most;
  return rest > 1 ? [...texts.slice(0, most), more(rest)] : texts;
}

/** The first names of a list that may be long. */
export const few = (names: readonly string[]) => shortList(names, 10).join(', ');

/** The most of a value that a report shows, in UTF-16 units. */
const longestValue = 160;
/** Names distinguish items and requests, so every valid one fits: a selector may have 255 characters. */
const longestName = 400;
const longestSentence = 600;
const longestHint = 4000;

/** The start of a text and the number of characters that were cut, in UTF-16 units. */
export function cutText(text: string, length = longestValue): string {
  const { head, rest } = splitText(text, length);
  return head + rest;
}

export function cutName(text: string): string {
  return cutText(text, longestName);
}

/** A hint may be a command to paste. */
export function cutHint(text: string): string {
  return cutText(text, longestHint);
}

export function cutSentence(text: string): string {
  return cutText(text, longestSentence);
}

/** A value in one line: JSON, cut if it is long. */
export function inlineValue(value: unknown): string {
  if (value === undefined) return '(absent)';
  if (typeof value !== 'string') return cutText(JSON.stringify(value));
  const { head, rest } = splitText(value, longestValue);
  return JSON.stringify(head) + rest;
}

function splitText(text: string, length: number): { readonly head: string; readonly rest: string } {
  if (text.length <= length) return { head: text, rest: '' };
  const end = characterBoundary(text, length);
  return { head: text.slice(0, end), rest: ` … ${quantity(text.length - end, 'more character')}` };
}
