// What the parser reports as a missing character or an unexpected text is mostly a tab, a quote or bracket that is never
// closed, a line with the wrong indentation, or a missing colon. This looks at the text before the mistake to say which.
import { CST, type ErrorCode, Lexer } from 'yaml';
import { type Place, type SourceText, sourceAt } from '../../diagnostics/source-text.ts';
import { type Problem, type ProblemText, shortened } from '../errors/problem.ts';
import type { SyntaxMistake } from './compose-document.ts';

/** A key, or the dash of an item. Columns count from 0, as indentation does. */
interface Entry {
  readonly kind: 'mapping' | 'list';
  readonly column: number;
  readonly at: Place;
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
  const { open, isInBrackets } = bracketsAt(source.text, first.start);
  if (open !== null && open <= first.end)
    return { ...neverClosed(source.text.charAt(open)), at: { source, start: open, end: open + 1 } };
  if (isInBrackets) return null;
  const key = mistakes.find(({ code, start }) => code === 'MULTILINE_IMPLICIT_KEY' && start === first.start);
  const offset = key === undefined ? contentFrom(source.text, first.start) : key.end - 1;
  const line = lineAt(source, offset);
  const tab = source.text.slice(line.start, line.first).indexOf('\t');
  if (tab >= 0) return { ...tabIndent, at: { source, start: line.start + tab, end: line.start + tab + 1 } };
  if (key !== undefined && key.start < line.start) return textAsKey(key, line, source) ?? misplacedLine(line, source);
  return offset > line.first ? null : misplacedLine(line, source);
}

/** A text above a key, where another key should be, is read as the start of that key. */
function textAsKey(key: SyntaxMistake, below: Line, source: SourceText): Problem | null {
  const line = lineAt(source, key.start);
  if (line.entries.length === 0) return misplacedLine(line, source);
  const isBeside = key.start - line.start === below.first - below.start;
  return isBeside ? { ...withoutColon(null), at: { source, start: key.start, end: line.end } } : null;
}

function misplacedLine(line: Line, source: SourceText): Problem | null {
  const levels = levelsAbove(source, line.start);
  const [entry] = line.entries;
  const at = { source, start: line.first, end: line.end };
  const [owner] = levels;
  if (entry === undefined) {
    const isKey = owner === undefined || isColumnOfKeys(line.first - line.start, owner);
    return isKey ? { ...withoutColon(shownText(at)), at } : { ...noEntry(owner), at, above: owner.at };
  }
  const alike = levels.filter(({ kind }) => kind === entry.kind);
  const distance = ({ column }: Entry) => Math.abs(column - entry.column);
  const [like] = alike.sort((left, right) => distance(left) - distance(right));
  if (like !== undefined && like.column !== entry.column) return { ...indentation(entry, like), at, above: like.at };
  if (entry.kind === 'mapping' || owner === undefined) return null;
  return { ...noList, at, above: owner.at };
}

/** Whether what follows an entry in a column can be a key, rather than more of its value. */
function isColumnOfKeys(column: number, owner: Entry): boolean {
  return owner.value === '' ? column > owner.column : column === owner.column && !isBlock(owner);
}

/** The last entries of all mappings and lists that are open before an offset, the innermost first. */
function levelsAbove(source: SourceText, offset: number): Entry[] {
  const levels: Entry[] = [];
  const limits = { list: Number.POSITIVE_INFINITY, mapping: Number.POSITIVE_INFINITY };
  for (let end = offset; end > 0 && limits.mapping > 0; ) {
    const { start, entries } = lineAt(source, end - 1);
    if (/^(?:---|\.\.\.)/.test(source.text.slice(start, start + 3))) break;
    end = start;
    const [first] = entries;
    const last = entries.at(-1);
    if (first === undefined || last === undefined) continue;
    // What is further right below `|` or `>` is text.
    if (isBlock(last)) while ((levels.at(-1)?.column ?? -1) > last.column) levels.pop();
    levels.push(...entries.filter(({ kind, column }) => column < limits[kind]).reverse());
    limits.list = Math.min(limits.list, first.column);
    // A list may start in the column of the key that it belongs to.
    limits.mapping = Math.min(limits.mapping, first.kind === 'list' ? first.column + 1 : first.column);
  }
  return levels;
}

function isBlock({ value }: Entry): boolean {
  return /^[|>][-+\d]{0,2}(?:\s|$)/.test(value);
}

/** The offset of the first text after an offset that is no comment. */
function contentFrom(text: string, offset: number): number {
  const content = /(?:\s|#.*)*/y;
  content.lastIndex = offset;
  content.exec(text);
  return content.lastIndex;
}

/** The line around an offset. */
function lineAt(source: SourceText, offset: number): Line {
  const { text } = source;
  const start = offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', start);
  const line = text.slice(start, Math.min(newline < 0 ? text.length : newline, start + longestLine)).trimEnd();
  const entries: Entry[] = [];
  const first = line.length - line.trimStart().length;
  const add = (kind: Entry['kind'], column: number, length: number, end: number) => {
    const at = { source, start: start + column, end: start + column + length };
    entries.push({ kind, column, at, value: line.slice(end) });
    return end;
  };
  let column = first;
  for (let dash = dashAt(line, column); dash !== ''; dash = dashAt(line, column))
    column = add('list', column, 1, column + dash.length);
  const [whole, name] = keyPattern.exec(line.slice(column)) ?? [];
  if (whole !== undefined && name !== undefined) add('mapping', column, name.length, column + whole.length);
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
  let lastQuote: number | null = null;
  let start = 0;
  let isText = false;
  let isInBrackets = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer precedes texts and modes with marks that are not in the file.
    if (lexeme === CST.FLOW_END) break;
    if (lexeme === CST.SCALAR) isText = true;
    if (lexeme === CST.SCALAR || lexeme === CST.DOCUMENT) continue;
    const quote = isText ? null : /^(["']).*?(\1?)$/s.exec(lexeme);
    if (quote !== null && (quote[2] === '' || lexeme.length === 1)) return { open: start, isInBrackets };
    // A quoted text that ends only where another one was meant to start.
    if (isText && lastQuote !== null) return { open: lastQuote, isInBrackets };
    if (!isText && (lexeme === '[' || lexeme === '{')) brackets.push(start);
    if (!isText && (lexeme === ']' || lexeme === '}')) {
      const opened = brackets.pop();
      if (opened !== undefined && closing[text.charAt(opened)] !== lexeme) return { open: opened, isInBrackets };
    }
    if (start <= offset) isInBrackets = brackets.length > 0;
    lastQuote = quote !== null && lexeme.includes('\n') ? start : null;
    start += lexeme.length;
    isText = false;
  }
  return { open: brackets.at(-1) ?? null, isInBrackets };
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

/** A part of a file as messages show it; null if it may be a secret. */
function shownText({ source, start, end }: Place): string | null {
  const isSecret = source.secrets().some((secret) => secret.start < end && secret.end > start);
  return isSecret ? null : shortened(source.text.slice(start, end));
}

function nameOf({ kind, at }: Entry, otherwise: string): string {
  const name = kind === 'list' ? null : shownText(at);
  return name === null ? otherwise : `"${name}"`;
}

function indentation(entry: Entry, like: Entry): ProblemText {
  const isItem = entry.kind === 'list';
  const others = isItem ? 'the other items of the list' : 'the other keys of the mapping';
  const { line } = sourceAt(like.at.source, like.at.start);
  return {
    code: 'CONFIG_INDENTATION',
    message: `${nameOf(entry, isItem ? 'This list item' : 'This key')} is ${indented(entry.column)}, but ${others} are ${indented(like.column)}.`,
    hint: `${like.column === 0 ? 'remove the indentation' : `indent it by ${spaces(like.column)}`}, like ${nameOf(like, isItem ? 'the dash' : 'the key')} in line ${line}`,
  };
}

function indented(count: number): string {
  return count === 0 ? 'not indented' : `indented by ${spaces(count)}`;
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

/** A list below a key that already has a value. */
const noList: ProblemText = {
  code: 'CONFIG_INDENTATION',
  message: 'No list can start here, because the key above has a value already.',
  hint: 'indent the item below the key that it belongs to; that key must have no other value',
};

function noEntry(owner: Entry): ProblemText {
  return {
    code: 'CONFIG_INDENTATION',
    message: 'This line is not a key, because it has no colon, and it does not continue the value above it.',
    hint: `indent it by more spaces than ${nameOf(owner, 'the line above')} to continue its value, or write KEY: VALUE`,
  };
}

function withoutColon(text: string | null): ProblemText {
  const [, key = 'KEY', value = 'VALUE'] = /^([\w-]+)(?:$|(?:\s*:|\s+)(\S.*))/m.exec(text ?? '') ?? [];
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: 'This text is not a key, because it has no colon with a space after it.',
    hint: `write ${key}: ${value}`,
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
