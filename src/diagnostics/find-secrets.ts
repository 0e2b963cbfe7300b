// Finds the parts of a text that may be secrets, from the text alone: excerpts are also shown for files that cannot be
// parsed. Hiding a line too many costs a reader a moment; showing a secret in a build log costs a rotation. So in doubt
// a part is hidden: an unclosed quote or bracket hides the rest of the file, and a line after a secret key is hidden
// unless it clearly starts an entry of its own. A comment between a key and its value is hidden with the value.
//
//   password: hunter2            hidden, and deeper lines below it
//   { password: a b, user: c }   hidden up to the end of the line
//   password: ${env:CRM}         shown: it is the name of a secret
//   "pass\u0077ord": x           a key with an escape could be any key: hidden

import { secretFieldPattern } from '../secrets/secret-spellings.ts';
import { lineEnd, skip } from '../values/line-ends.ts';

/** Half-open, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const mostWork = 20;
const secretKey = new RegExp(`(?:${secretFieldPattern}|"[^"\\\\\\n]*\\\\[^"\\n]*")`, 'giu');
const ownEntry = /[ \t]*(?:[-?](?=[ \t\r\n]|$)|["']?[^\s"'#:,[\]{}][^\n:]*:(?=[ \t\r\n]|$)|[}\],]|---|\.\.\.)/y;
const properties = /[ \t]*(?:[&!][^\s,[\]{}]*[ \t]*)*/y;
const reference = /(["']?)\$\{env:\w+\}\1[ \t]*(?=[,}\r\n]|$)/y;

/**
 * Ranges may overlap: what seems to be inside one value may be outside it, and a key there counts as well. A text made
 * to be slow, in which every value seems to reach far, is hidden from where the work becomes too much.
 */
export function findSecrets(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  let work = 0;
  let lineStart = 0;
  let searched = 0;
  secretKey.lastIndex = 0;
  for (let match = secretKey.exec(text); match !== null; match = secretKey.exec(text)) {
    const next = skip(colon, text, secretKey.lastIndex);
    if (next === secretKey.lastIndex) continue;
    const lineBreak = text.slice(searched, match.index).lastIndexOf('\n');
    if (lineBreak >= 0) lineStart = searched + lineBreak + 1;
    searched = match.index;
    const { start, end } = valueAfter(text, lineStart, match.index, next);
    work += end - start;
    const tooMuch = work > mostWork * text.length;
    if (tooMuch || text.slice(start, end).trim() !== '') ranges.push({ start, end: tooMuch ? text.length : end });
    if (tooMuch || end === text.length) break;
    secretKey.lastIndex = next;
  }
  return ranges;
}

/** The colon after a key: it may follow blanks, comments and line breaks, or be in a comment; so may one that is long. */
const colon = /[ \t]*(?![ \t])(?::|(?:(?:#.{0,200})?\r?\n[ \t]*(?![ \t])){1,10}:|#.{0,200}:|#.{200})/y;
/** Blank lines and comments before a value in other lines. */
const gap = /(?:[ \t]*(?:#.*)?\r?\n)*(?=[ \t]*[^\s#])[ \t]*/y;

function valueAfter(text: string, lineStart: number, key: number, after: number): TextRange {
  const start = skip(properties, text, after);
  const first = text[start];
  const next = skip(reference, text, start);
  if (next > start && /[,}]/.test(text.charAt(next))) return { start: next, end: next };
  // Deeper lines would belong to the value.
  if (next > start) return { start: next, end: blockEnd(text, next, key - lineStart) };
  if (first !== undefined && opening.test(first)) return { start, end: lineEnd(text, openEnd(text, start)) };
  const end = blockEnd(text, start, key - lineStart);
  const below = skip(properties, text, skip(gap, text, start));
  // A quote or bracket in a later line may reach further than the lines that are deeper.
  const isOpen = below < end && opening.test(text.charAt(below));
  return { start, end: isOpen ? Math.max(end, lineEnd(text, openEnd(text, below))) : end };
}

const opening = /["'[{]/;

function openEnd(text: string, start: number): number {
  const first = text.charAt(start);
  return first === '"' || first === "'" ? quoteEnd(text, start, first) : bracketEnd(text, start);
}

function quoteEnd(text: string, start: number, quote: string): number {
  for (let index = start + 1; index < text.length; index++) {
    if (quote === '"' && text[index] === '\\') index++;
    else if (text[index] === quote && text[index + 1] === quote && quote === "'") index++;
    else if (text[index] === quote) return index + 1;
  }
  return text.length;
}

function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '"' || character === "'") index = quoteEnd(text, index, character) - 1;
    else if (character === '[' || character === '{') depth++;
    else if ((character === ']' || character === '}') && --depth === 0) return index + 1;
  }
  return text.length;
}

function blockEnd(text: string, start: number, keyColumn: number): number {
  let end = lineEnd(text, start);
  const listMayFollow = text.slice(start, end).trim() === '';
  while (end < text.length) {
    const next = end + 1;
    const nextEnd = lineEnd(text, next);
    const line = text.slice(next, nextEnd);
    const indent = line.search(/\S/);
    const deeper = indent < 0 || indent > keyColumn || (listMayFollow && indent === keyColumn && line[indent] === '-');
    if (!deeper && startsEntry(text, next)) break;
    end = nextEnd;
  }
  return end;
}

function startsEntry(text: string, lineStart: number): boolean {
  ownEntry.lastIndex = lineStart;
  return ownEntry.test(text);
}
