import type { TextChange } from '../../model/kind.ts';
import { type HunkPart, hunksOf, usualContext } from '../unified-diff.ts';
import { quantity } from '../wording.ts';
import { codeMarkup, html, type Markup } from './markup.ts';

/** The most lines of a difference, and the most lines and characters of all differences of a page. */
const mostRowsOfText = 2_000;
const mostRows = 20_000;
const mostCharacters = 4_000_000;

export type SideBySide = (label: string, sides: Pick<TextChange, 'before' | 'after'>) => Markup;

/** Differences of texts in two columns, in which all of a page share a bound of lines. */
export function openSideBySide(): SideBySide {
  const left = { rows: mostRows, characters: mostCharacters };
  return (label, { before, after }) => {
    left.characters -= (before?.length ?? 0) + (after?.length ?? 0);
    if (left.characters < 0 || left.rows === 0)
      return html`<p class="muted">Too much text to show it here; <code>--format json</code> has it.</p>`;
    const isOne = before === null || after === null;
    const rows = isOne ? oneSided(before, after) : twoSided(linesOf(before), linesOf(after));
    if (rows.length === 0)
      return html`<p class="muted">Only the end of the last line differs, or the text is empty.</p>`;
    const shown = rows.slice(0, Math.min(left.rows, mostRowsOfText));
    left.rows -= shown.length;
    const rest = rows.length - shown.length;
    const more = html`<p class="muted">and ${quantity(rest, 'more line')}; <code>--format json</code> has them.</p>`;
    const side = html`<col class="numbers"><col>`;
    return html`<table class="diff"><caption class="unseen">Difference of ${label}</caption>
<colgroup>${isOne ? side : [side, side]}</colgroup>
<tbody>${shown}</tbody></table>${rest === 0 ? null : more}`;
  };
}

/** A final line end is no line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A text that is new or removed, in one column. */
function oneSided(before: string | null, after: string | null): readonly Markup[] {
  const name = before === null ? 'after' : 'before';
  return linesOf(before ?? after ?? '').map((line, index) => html`<tr>${cell(name, index, codeOf(line))}</tr>\n`);
}

function twoSided(old: readonly string[], next: readonly string[]): readonly Markup[] {
  const hunks = hunksOf(old, next, usualContext);
  const ends = [0, ...hunks.map((hunk) => hunk.at(-1)?.oldEnd ?? 0)];
  const rows = hunks.flatMap((hunk, index) => [
    ...gap((hunk[0]?.oldStart ?? 0) - (ends[index] ?? 0)),
    ...hunk.flatMap((part) => partRows(part, old, next)),
  ]);
  return hunks.length === 0 ? [] : [...rows, ...gap(old.length - (ends.at(-1) ?? 0))];
}

function gap(count: number): readonly Markup[] {
  if (count === 0) return [];
  return [html`<tr class="gap"><td colspan="4">${quantity(count, 'unchanged line')}</td></tr>\n`];
}

function partRows(part: HunkPart, old: readonly string[], next: readonly string[]): readonly Markup[] {
  const { oldStart, oldEnd, newStart, newEnd, isSame } = part;
  const row = isSame ? sameRow : changedRow;
  return Array.from({ length: Math.max(oldEnd - oldStart, newEnd - newStart) }, (_line, index) =>
    row(lineAt(old, oldStart + index, oldEnd), lineAt(next, newStart + index, newEnd)),
  );
}

interface Line {
  readonly index: number;
  readonly text: string;
}

function lineAt(lines: readonly string[], index: number, end: number): Line | null {
  return index < end ? { index, text: lines[index] ?? '' } : null;
}

function sameRow(left: Line | null, right: Line | null): Markup {
  return html`<tr>${[left, right].map((line) => line && cell('same', line.index, codeOf(line.text)))}</tr>\n`;
}

function changedRow(left: Line | null, right: Line | null): Markup {
  const none = html`<td class="number"></td><td class="none"></td>`;
  const both = left !== null && right !== null ? markedCode(left.text, right.text) : null;
  const before = left === null ? none : cell('before', left.index, both?.[0] ?? codeOf(left.text));
  const after = right === null ? none : cell('after', right.index, both?.[1] ?? codeOf(right.text));
  return html`<tr class="changed">${before}${after}</tr>\n`;
}

/** The number of a line, and its code. */
function cell(name: 'same' | 'before' | 'after', index: number, code: Markup): Markup {
  const marked = { same: code, before: html`<del>${code}</del>`, after: html`<ins>${code}</ins>` }[name];
  return html`<td class="number">${index + 1}</td><td class="${name}">${marked}</td>`;
}

/** Two lines, in which everything but their common beginning and end is marked. */
function markedCode(left: string, right: string): readonly [Markup, Markup] {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  // Not inside a word or a pair of surrogates.
  while (start > 0 && isInside(left, start)) start -= 1;
  while (end > 0 && isInside(left, left.length - end)) end -= 1;
  const marked = (line: string) => {
    const part = line.slice(start, line.length - end);
    const mark = part === '' ? null : html`<mark>${codeOf(part)}</mark>`;
    return html`${codeOf(line.slice(0, start))}${mark}${codeOf(line.slice(line.length - end))}`;
  };
  return [marked(left), marked(right)];
}

function isInside(line: string, at: number): boolean {
  const isLow = (line.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow || /^[\p{L}\p{N}\ud800-\udfff_]{2}$/u.test(line.slice(at - 1, at + 1));
}

/** A carriage return at the end of a line is invisible. */
function codeOf(code: string): Markup {
  return codeMarkup(code.replace(/\r$/, '␍'));
}
