import { context, hunksOf, type LineChange, lineChanges } from '../unified-diff.ts';
import { quantity, thousands } from '../wording.ts';
import { codeMarkup, html, type Markup } from './markup.ts';
import { type Token, type TokenName, tokensOf } from './tokens.ts';

/** A text before and after; null where there is none. */
export interface TextSides {
  readonly before: string | null;
  readonly after: string | null;
  /** Neither HTML nor Liquid: without colours. */
  readonly isPlain?: boolean;
}

/** The most lines of a difference, and the most lines and characters of all differences of a page. */
const mostRowsOfText = 2_000;
const mostRows = 20_000;
const mostCharacters = 4_000_000;

export type SideBySide = (label: string, sides: TextSides) => Markup;

/** Differences of texts in two columns, in which all of a page share a bound of lines. */
export function openSideBySide(): SideBySide {
  const left = { rows: mostRows, characters: mostCharacters };
  return (label, { before, after, isPlain = false }) => {
    left.characters -= (before?.length ?? 0) + (after?.length ?? 0);
    if (left.characters < 0 || left.rows === 0)
      return html`<p class="muted">Too much text to show it here; <code>--format json</code> has it.</p>`;
    const old = sideOf(before, isPlain);
    const next = sideOf(after, isPlain);
    const rows = old === null || next === null ? oneSided(old, next) : twoSided(old, next);
    if (rows.length === 0)
      return html`<p class="muted">Only the end of the last line differs, or the text is empty.</p>`;
    const shown = rows.slice(0, Math.min(left.rows, mostRowsOfText));
    left.rows -= shown.length;
    const rest = rows.length - shown.length;
    const more = html`<p class="muted">and ${quantity(rest, 'more line')}; <code>--format json</code> has them.</p>`;
    return html`<table class="diff"><caption class="unseen">Difference of ${label}</caption>
<colgroup>${columns(old, next)}</colgroup>
<tbody>${shown}</tbody></table>${rest === 0 ? null : more}`;
  };
}

/** The number and the code of each side that there is. */
function columns(...sides: readonly (Side | null)[]): readonly Markup[] {
  return sides.flatMap((side) => (side === null ? [] : [html`<col class="numbers"><col>`]));
}

/** Lines of a text, and where each begins. */
interface Side {
  readonly lines: readonly string[];
  readonly starts: readonly number[];
  readonly tokens: readonly Token[];
}

function sideOf(text: string | null, isPlain: boolean): Side | null {
  if (text === null) return null;
  const lines = text.split('\n');
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  // A final line end is no line.
  if (lines.at(-1) === '') lines.pop();
  return { lines, starts, tokens: isPlain ? [] : tokensOf(text) };
}

/** A text that is new or removed, in one column. */
function oneSided(old: Side | null, next: Side | null): readonly Markup[] {
  const side = old ?? next;
  if (side === null) return [];
  const cell = openCells(side, old === null ? 'ins' : 'del');
  return side.lines.map((_line, index) => html`<tr>${cell(index, 'complete')}</tr>\n`);
}

function twoSided(old: Side, next: Side): readonly Markup[] {
  const rows: Markup[] = [];
  const leftCell = openCells(old, 'del');
  const rightCell = openCells(next, 'ins');
  const sameRow = (oldLine: number, newLine: number) => {
    rows.push(html`<tr>${leftCell(oldLine, null)}${rightCell(newLine, null)}</tr>\n`);
  };
  const changedRow = (oldLine: number | null, newLine: number | null) => {
    const differing =
      oldLine === null || newLine === null ? null : differingRange(old.lines[oldLine] ?? '', next.lines[newLine] ?? '');
    rows.push(
      html`<tr class="changed">${oldLine === null ? emptyCell : leftCell(oldLine, differing?.left ?? 'complete')}${
        newLine === null ? emptyCell : rightCell(newLine, differing?.right ?? 'complete')
      }</tr>\n`,
    );
  };
  const gap = (count: number) => {
    if (count > 0)
      rows.push(
        html`<tr class="gap"><td colspan="4">${thousands(count)} unchanged ${count === 1 ? 'line' : 'lines'}</td></tr>\n`,
      );
  };
  const hunks = hunksOf(lineChanges(old.lines, next.lines));
  if (hunks.length === 0) return [];
  let oldDone = 0;
  let newDone = 0;
  for (const hunk of hunks) {
    const first = hunk[0]?.oldStart ?? 0;
    const start = Math.max(oldDone, first - context);
    gap(start - oldDone);
    newDone += start - oldDone;
    oldDone = start;
    for (const change of hunk) {
      for (; oldDone < change.oldStart; oldDone++, newDone++) sameRow(oldDone, newDone);
      pushChange(change, changedRow);
      oldDone = change.oldEnd;
      newDone = change.newEnd;
    }
    const end = Math.min(old.lines.length, oldDone + context);
    for (; oldDone < end; oldDone++, newDone++) sameRow(oldDone, newDone);
  }
  gap(old.lines.length - oldDone);
  return rows;
}

function pushChange(
  { oldStart, oldEnd, newStart, newEnd }: LineChange,
  push: (oldLine: number | null, newLine: number | null) => void,
): void {
  const count = Math.max(oldEnd - oldStart, newEnd - newStart);
  for (let index = 0; index < count; index++)
    push(oldStart + index < oldEnd ? oldStart + index : null, newStart + index < newEnd ? newStart + index : null);
}

const emptyCell = html`<td class="number"></td><td class="none"></td>`;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** What differs between two lines: everything but their common beginning and end. */
function differingRange(left: string, right: string): { readonly left: Range; readonly right: Range } {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  // Not inside a word or a pair of surrogates.
  while (start > 0 && isInside(left, start)) start -= 1;
  while (end > 0 && isInside(left, left.length - end)) end -= 1;
  return { left: { start, end: left.length - end }, right: { start, end: right.length - end } };
}

function isInside(line: string, at: number): boolean {
  return /^[\p{L}\p{N}\ud800-\udfff_]{2}$/u.test(line.slice(at - 1, at + 1)) || isLow(line.charCodeAt(at));
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How a cell shows its line: unchanged, as changed everywhere, or in a range. */
type Changed = Range | 'complete' | null;

/** Cells of one side, which are asked for from the first line to the last. */
function openCells(
  { lines, starts, tokens }: Side,
  element: 'del' | 'ins',
): (line: number, changed: Changed) => Markup {
  let next = 0;
  return (index, changed) => {
    const line = lines[index] ?? '';
    const offset = starts[index] ?? 0;
    while ((tokens[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next += 1;
    const code = (start: number, end: number) => coloured(line, offset, start, end, tokens, next);
    const number = html`<td class="number">${index + 1}</td>`;
    if (changed === null) return html`${number}<td class="same">${code(0, line.length)}</td>`;
    const { start, end } = changed === 'complete' ? { start: 0, end: 0 } : changed;
    const inside =
      end > start
        ? html`${code(0, start)}<mark>${code(start, end)}</mark>${code(end, line.length)}`
        : code(0, line.length);
    return element === 'del'
      ? html`${number}<td class="before"><del>${inside}</del></td>`
      : html`${number}<td class="after"><ins>${inside}</ins></td>`;
  };
}

const colours: Readonly<Record<TokenName, string>> = {
  comment: 'c',
  liquid: 'l',
  tag: 't',
  attribute: 'a',
  string: 's',
  reference: 'r',
};

/** A part of a line, with the colour of each token that it meets. */
function coloured(
  line: string,
  offset: number,
  start: number,
  end: number,
  tokens: readonly Token[],
  first: number,
): readonly Markup[] {
  const pieces: Markup[] = [];
  let done = start;
  for (let index = first; index < tokens.length && done < end; index++) {
    const token = tokens[index];
    if (token === undefined || token.start - offset >= end) break;
    const from = Math.max(done, token.start - offset);
    const to = Math.min(end, token.end - offset);
    if (to <= from) continue;
    if (from > done) pieces.push(visibleCode(line.slice(done, from)));
    pieces.push(html`<span class="${colours[token.name]}">${visibleCode(line.slice(from, to))}</span>`);
    done = to;
  }
  if (done < end) pieces.push(visibleCode(line.slice(done, end)));
  return pieces;
}

/** A carriage return at the end of a line is invisible. */
function visibleCode(code: string): Markup {
  return codeMarkup(code.replace(/\r$/, '␍'));
}
