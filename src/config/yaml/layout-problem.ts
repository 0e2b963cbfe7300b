// What the parser reports as a missing character or an unexpected text is mostly a line with the wrong indentation, a
// missing colon, or a quote or bracket that is never closed. This looks at the lines before the mistake to say which.
import { CST, type ErrorCode, Lexer } from 'yaml';
import { type SourceText, sourceAt } from '../../diagnostics/source-text.ts';
import type { Problem, ProblemText } from '../errors/problem.ts';
import { shortened } from '../errors/problem.ts';
import type { SyntaxMistake } from './compose-document.ts';

type Kind = 'mapping' | 'list';

/** A key, or the dash of an item. Columns count from 0, as indentation does. */
interface Entry {
  readonly kind: Kind;
  readonly start: number;
  readonly column: number;
  /** The key as it is written; empty for a dash. */
  readonly name: string;
  /** What follows in the line. */
  readonly value: string;
}

/** Dashes, a key and a value, as far as a line has them. */
interface Line {
  /** Offsets of the line, of its first character that is not white space, and of its end. */
  readonly start: number;
  readonly first: number;
  readonly end: number;
  readonly entries: readonly Entry[];
}

/** Of a longer line, only the start is read. */
const longestLine = 1_000;

/** Errors that follow from a line in the wrong place. */
const layoutErrors = new Set<ErrorCode>([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'TAB_AS_INDENT',
  'UNEXPECTED_TOKEN',
]);

/** The problem that explains the first mistake; null if it is no matter of layout. */
export function layoutProblem(mistakes: readonly SyntaxMistake[], source: SourceText): Problem | null {
  const [first] = mistakes;
  if (first === undefined || !layoutErrors.has(first.code)) return null;
  const { text } = source;
  const { open, isInBrackets } = bracketsAt(text, first.start);
  if (open !== null && open <= first.end)
    return { ...neverClosed(text.charAt(open)), at: { source, start: open, end: open + 1 } };
  if (isInBrackets) return null;
  // A key on several lines is a text that a line below it was not meant to continue.
  const key = mistakes.find(({ code, start }) => code === 'MULTILINE_IMPLICIT_KEY' && start === first.start);
  const offset = key === undefined ? contentFrom(text, first.start) : key.end - 1;
  const line = lineAt(text, lineStart(text, offset));
  const tab = text.slice(line.start, line.first).indexOf('\t');
  if (tab >= 0) return { ...tabIndent, at: { source, start: line.start + tab, end: line.start + tab + 1 } };
  if (key !== undefined && key.start < line.start) return textAsKey(key, line, source) ?? misplacedLine(line, source);
  return offset > line.first ? null : misplacedLine(line, source);
}

/** A text that lacks a colon, above the first key that was meant to be next to it. */
function textAsKey(key: SyntaxMistake, below: Line, source: SourceText): Problem | null {
  const line = lineAt(source.text, lineStart(source.text, key.start));
  if (line.entries.length === 0) return misplacedLine(line, source);
  const isItem = line.entries.every(({ kind }) => kind === 'list');
  if (!isItem || key.start - line.start !== below.first - below.start) return null;
  return {
    ...itemWithoutKey(shownPart(source, key.start, line.end)),
    at: { source, start: key.start, end: line.end },
  };
}

function misplacedLine(line: Line, source: SourceText): Problem | null {
  const above = linesAbove(source.text, line.start);
  const levels = levelsOf(above);
  const [entry] = line.entries;
  const at = { source, start: line.first, end: line.end };
  const name = (of: Entry | undefined) =>
    of === undefined ? null : shownPart(source, of.start, of.start + of.name.length);
  const withLines = (problem: ProblemText, of?: Entry): Problem => {
    const starts = [of?.start, above[0]?.first].filter((start) => start !== undefined);
    return { ...problem, at, above: starts.map((start) => ({ source, start, end: start + 1 })) };
  };
  if (entry === undefined) {
    const [owner] = levels;
    const text = shownPart(source, line.first, line.end);
    return withLines(misplacedText(text, line.first - line.start, owner, name(owner)), owner);
  }
  const like = nearest(levels, entry);
  if (like !== undefined && like.column !== entry.column)
    return withLines(indentation(entry, name(entry), like, name(like), sourceAt(source, like.start).line), like);
  if (like !== undefined || entry.kind === 'mapping') return null;
  return withLines(noList(name(levels.find(({ column }) => column <= entry.column))));
}

/** Content lines above an offset, the last one first. */
function linesAbove(text: string, offset: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = offset; start > 0; ) {
    start = lineStart(text, start - 1);
    const line = lineAt(text, start);
    if (isDocumentStart(text, start)) break;
    if (hasContent(text, line)) lines.push(line);
  }
  return lines;
}

/** The last entries of all mappings and lists that are open after some lines, the innermost first. */
function levelsOf(above: readonly Line[]): readonly Entry[] {
  const levels: Entry[] = [];
  const limits = { list: Number.POSITIVE_INFINITY, mapping: Number.POSITIVE_INFINITY };
  for (const { entries } of above) {
    const [first] = entries;
    const last = entries.at(-1);
    if (first === undefined || last === undefined) continue;
    // What is further right below `|` or `>` is text.
    if (isBlock(last)) while ((levels.at(-1)?.column ?? -1) > last.column) levels.pop();
    levels.push(...entries.filter(({ kind, column }) => column < limits[kind]).reverse());
    limits.list = Math.min(limits.list, first.column);
    // A list may start in the column of the key that it belongs to.
    limits.mapping = Math.min(limits.mapping, first.kind === 'list' ? first.column + 1 : first.column);
    if (limits.mapping === 0) break;
  }
  return levels;
}

function isBlock({ value }: Entry): boolean {
  return /^[|>][-+\d]{0,2}(?:\s|$)/.test(value);
}

/** The level of the same kind whose column is nearest. */
function nearest(levels: readonly Entry[], entry: Entry): Entry | undefined {
  const distance = ({ column }: Entry) => Math.abs(column - entry.column);
  return levels
    .filter(({ kind }) => kind === entry.kind)
    .reduce<Entry | undefined>(
      (best, level) => (best === undefined || distance(level) < distance(best) ? level : best),
      undefined,
    );
}

function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset of the first text after an offset that is no comment. */
function contentFrom(text: string, offset: number): number {
  const content = /[^\s#]|#.*/g;
  content.lastIndex = offset;
  for (let found = content.exec(text); found !== null; found = content.exec(text))
    if (!found[0].startsWith('#')) return found.index;
  return text.length;
}

function hasContent(text: string, { first, end }: Line): boolean {
  return first < end && text[first] !== '#';
}

function isDocumentStart(text: string, start: number): boolean {
  return text.startsWith('---', start) || text.startsWith('...', start);
}

function lineAt(text: string, start: number): Line {
  const newline = text.indexOf('\n', start);
  const line = text.slice(start, Math.min(newline < 0 ? text.length : newline, start + longestLine)).trimEnd();
  const entries: Entry[] = [];
  const first = line.length - line.trimStart().length;
  const add = (kind: Kind, column: number, name: string, end: number) => {
    entries.push({ kind, start: start + column, column, name, value: line.slice(end) });
    return end;
  };
  let column = first;
  for (let dash = dashAt(line, column); dash !== ''; dash = dashAt(line, column))
    column = add('list', column, '', column + dash.length);
  const [whole, name] = keyPattern.exec(line.slice(column)) ?? [];
  if (whole !== undefined && name !== undefined) add('mapping', column, name, column + whole.length);
  return { start, first: start + first, end: start + line.length, entries };
}

/** A text in quotes, or up to a colon that is not in a comment. */
const keyPattern = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#[{](?:(?! #).)*?)\s*:(?:\s+|$)/;

function dashAt(line: string, column: number): string {
  return /^-(?:\s+|$)/.exec(line.slice(column))?.[0] ?? '';
}

/** The offset of the first quote or bracket that is never closed, and whether another offset is in brackets. */
function bracketsAt(text: string, offset: number): { readonly open: number | null; readonly isInBrackets: boolean } {
  const brackets: number[] = [];
  let last = { start: 0, lexeme: '', isQuoted: false };
  let start = 0;
  let isText = false;
  let isInBrackets = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer precedes texts and modes with marks that are not in the file.
    if (lexeme === CST.DOCUMENT) continue;
    if (lexeme === CST.FLOW_END) break;
    if (lexeme === CST.SCALAR) {
      isText = true;
      continue;
    }
    const isQuoted = !isText && /^["']/.test(lexeme);
    if (isQuoted && (lexeme.length < 2 || !lexeme.endsWith(lexeme.charAt(0)))) return { open: start, isInBrackets };
    // A quoted text that ends only where another one was meant to start.
    if (isText && last.isQuoted && last.lexeme.includes('\n')) return { open: last.start, isInBrackets };
    if (!isText && (lexeme === '[' || lexeme === '{')) brackets.push(start);
    if (!isText && (lexeme === ']' || lexeme === '}')) {
      const opened = brackets.pop();
      if (opened !== undefined && closing[text.charAt(opened)] !== lexeme) return { open: opened, isInBrackets };
    }
    if (start <= offset) isInBrackets = brackets.length > 0;
    last = { start, lexeme, isQuoted };
    start += lexeme.length;
    isText = false;
  }
  return { open: brackets.at(-1) ?? null, isInBrackets };
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

/** A part of a file as messages show it; null if it may be a secret. */
function shownPart(source: SourceText, start: number, end: number): string | null {
  const isSecret = source.secrets().some((secret) => secret.start < end && secret.end > start);
  return isSecret || start === end ? null : source.text.slice(start, end);
}

type Shown = string | null;

function indentation(entry: Entry, name: Shown, like: Entry, likeName: Shown, line: number): ProblemText {
  const isItem = entry.kind === 'list';
  const what = isItem ? 'This list item' : quoted(name, 'This key');
  const others = isItem ? 'the other items of the list' : 'the other keys of the mapping';
  return {
    code: 'CONFIG_INDENTATION',
    message: `${what} is ${indented(entry.column)}, but ${others} are ${indented(like.column)}.`,
    hint: `${like.column === 0 ? 'remove the indentation' : `indent it by ${spaces(like.column)}`}, like ${isItem ? 'the dash' : quoted(likeName, 'the key')} in line ${line}`,
  };
}

/** A list below a key that already has a value. */
function noList(key: Shown): ProblemText {
  return {
    code: 'CONFIG_INDENTATION',
    message: `No list can start here, because ${quoted(key, 'the key above')} has a value already.`,
    hint: 'indent the item below the key that it belongs to; that key must have no other value',
  };
}

function itemWithoutKey(item: Shown): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: 'This list item is a text, so the keys below it have no mapping to belong to.',
    hint: `give the text a key: - KEY: ${shortened(item ?? 'VALUE')}`,
  };
}

/** A line with neither a key nor a dash, below an entry. */
function misplacedText(text: Shown, column: number, owner: Entry | undefined, key: Shown): ProblemText {
  if (owner === undefined || (column > owner.column && owner.value === '')) return withoutColon(text);
  if (column === owner.column && owner.value === '')
    return {
      code: 'CONFIG_INDENTATION',
      message: `The value of ${quoted(key, 'a key')} must be indented by more spaces than the key.`,
      hint: `write both in one line: ${shortened(key ?? 'KEY')}: ${shortened(text ?? 'VALUE')}`,
    };
  if (column === owner.column && !isBlock(owner)) return withoutColon(text);
  return {
    code: 'CONFIG_INDENTATION',
    message: 'This line is not a key, because it has no colon, and it does not continue the value above it.',
    hint: `indent it by more spaces than ${quoted(key, 'the key above')} to continue its value, or write KEY: VALUE`,
  };
}

function withoutColon(text: Shown): ProblemText {
  const [, key = 'KEY', value = 'VALUE'] = /^([\w-]+)(?:$|(?:\s*:|\s+)(\S.*))/m.exec(text ?? '') ?? [];
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: 'This line is not a key, because it has no colon with a space after it.',
    hint: `write ${shortened(key)}: ${shortened(value)}`,
  };
}

const tabIndent: ProblemText = {
  code: 'CONFIG_TAB_INDENT',
  message: 'This line is indented with a tab. YAML allows only spaces.',
  hint: 'replace the tab with spaces',
};

function neverClosed(character: string): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `This ${/["']/.test(character) ? 'quote' : 'bracket'} is not closed.`,
    hint: `write ${closing[character]} at the end of the value; its further lines must be indented by more spaces than the key`,
  };
}

function indented(count: number): string {
  return count === 0 ? 'not indented' : `indented by ${spaces(count)}`;
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

function quoted(name: Shown, otherwise: string): string {
  return name === null ? otherwise : `"${shortened(name)}"`;
}
