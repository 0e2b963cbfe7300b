import type { TextChange } from '../../model/kind.ts';
import { commonStart } from '../../values/text-order.ts';
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
  let end = 0;
  const rows = hunksOf(old, next, usualContext).flatMap((hunk) => {
    const start = hunk[0]?.oldStart ?? 0;
    const above = gap(start - end);
    end = hunk.reduce((sum, part) => sum + part.old.length, start);
    return [...above, ...hunk.flatMap(partRows)];
  });
  return rows.length === 0 ? [] : [...rows, ...gap(old.length - end)];
}

function gap(count: number): readonly Markup[] {
  if (count === 0) return [];
  return [html`<tr class="gap"><td colspan="4">${quantity(count, 'unchanged line')}</td></tr>\n`];
}

function partRows({ isSame, oldStart, newStart, old, next }: HunkPart): readonly Markup[] {
  const [before, after] = isSame ? (['same', 'same'] as const) : (['before', 'after'] as const);
  return Array.from({ length: Math.max(old.length, next.length) }, (_line, index) => {
    const [left, right] = codesOf(old[index], next[index], isSame);
    const cells = [cell(before, oldStart + index, left), cell(after, newStart + index, right)];
    return html`<tr${isSame ? null : html` class="changed"`}>${cells}</tr>\n`;
  });
}

/** The number of a line, and its code; null if there is none. */
function cell(name: 'same' | 'before' | 'after', index: number, code: Markup | null = null): Markup {
  if (code === null) return html`<td class="number"></td><td class="none"></td>`;
  const marked = { same: code, before: html`<del>${code}</del>`, after: html`<ins>${code}</ins>` }[name];
  return html`<td class="number">${index + 1}</td><td class="${name}">${marked}</td>`;
}

/** Of two lines that differ, everything but their common beginning and end is marked. */
function codesOf(left: string | undefined, right: string | undefined, isSame: boolean): readonly (Markup | null)[] {
  if (isSame || left === undefined || right === undefined)
    return [left, right].map((line) => (line === undefined ? null : codeOf(line)));
  let start = commonStart(left, right);
  const most = Math.min(left.length, right.length) - start;
  let end = 0;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  // Not inside a word or a pair of surrogates.
  while (start > 0 && isInside(left, start)) start -= 1;
  while (end > 0 && isInside(left, left.length - end)) end -= 1;
  return [left, right].map((line) => {
    const part = line.slice(start, line.length - end);
    const mark = part === '' ? null : html`<mark>${codeOf(part)}</mark>`;
    return html`${codeOf(line.slice(0, start))}${mark}${codeOf(line.slice(line.length - end))}`;
  });
}

function isInside(line: string, at: number): boolean {
  const isLow = (line.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow || /^[\p{L}\p{N}\ud800-\udfff_]{2}$/u.test(line.slice(at - 1, at + 1));
}

/** A carriage return at the end of a line is invisible. */
function codeOf(code: string): Markup {
  return codeMarkup(code.replace(/\r$/, '␍'));
}
