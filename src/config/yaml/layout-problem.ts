// What the parser reports as a missing character or an unexpected text is mostly a tab, a quote or bracket that is never
// closed, a missing colon, or a line with the wrong indentation. This looks at the text before the mistake to say which.
import { CST, type ErrorCode, Lexer } from 'yaml';
import type { Place, SourceText } from '../../diagnostics/source-text.ts';
import { type Problem, type ProblemText, shortened } from '../errors/problem.ts';

/** An error of the parser, without its message, which quotes the text. */
export interface SyntaxMistake {
  readonly code: ErrorCode;
  readonly start: number;
  readonly end: number;
}

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
  const tab = source.text.slice(line.left, line.start).indexOf('\t');
  if (tab >= 0) return { ...tabIndent, at: { source, start: line.left + tab, end: line.left + tab + 1 } };
  if (key !== undefined && key.start < line.left) return textAsKey(key, line);
  return offset > line.start ? null : misplaced(line);
}

/** The text of a line without the white space around it. `left` is where the line starts. */
interface Line extends Place {
  readonly left: number;
}

/** Of a longer line, only the start is read. */
const longestLine = 1_000;

function lineAt(source: SourceText, offset: number): Line {
  const { text } = source;
  const left = offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', left);
  const line = text.slice(left, Math.min(newline < 0 ? text.length : newline, left + longestLine)).trimEnd();
  return { source, left, start: left + line.length - line.trimStart().length, end: left + line.length };
}

/** A text above a key, where another key should be, is read as the start of that key. */
function textAsKey(key: SyntaxMistake, below: Line): Problem {
  const line = lineAt(below.source, key.start);
  const isBeside = key.start - line.left === below.start - below.left;
  return isBeside ? withoutColon({ ...line, start: key.start }) : misplaced(isEntry(line) ? below : line);
}

function misplaced(line: Line): Problem {
  return isEntry(line) ? wrongColumn(line) : withoutColon(line);
}

/** A text in quotes, or up to a colon that is not in a comment. */
const keyPattern = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#[{](?:(?! #).)*?)\s*:(?:\s+|$)/;

/** Whether a line starts with a dash or a key. */
function isEntry(line: Line): boolean {
  const text = textOf(line);
  return /^-(?:\s|$)/.test(text) || keyPattern.test(text);
}

function textOf({ source, start, end }: Place): string {
  return source.text.slice(start, end);
}

/** The offset of the first text after an offset that is no comment. */
function contentFrom(text: string, offset: number): number {
  const content = /(?:\s|#.*)*/y;
  content.lastIndex = offset;
  content.exec(text);
  return content.lastIndex;
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

/** The line and the one above it, from which the column is easy to see. */
function wrongColumn(line: Line): Problem {
  let above = lineAt(line.source, line.left - 1);
  while (above.start === above.end && above.left > 0) above = lineAt(line.source, above.left - 1);
  return {
    code: 'CONFIG_INDENTATION',
    message: 'The indentation of this line does not fit the lines above it.',
    hint: 'start all keys of a mapping, and all items of a list, in the same column',
    at: line,
    above,
  };
}

function withoutColon(line: Place): Problem {
  const isSecret = line.source.secrets().some(({ start, end }) => start < line.end && end > line.start);
  const text = isSecret ? '' : shortened(textOf(line));
  const [, key = 'KEY', value] = /^([\w-]+)(?:$|(?:\s*:|\s+)(\S.*))/.exec(text) ?? [];
  const otherwise = `write ${key}: VALUE, or indent it by more spaces than the key above to continue its value`;
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: 'This text is not a key, because it has no colon with a space after it.',
    hint: value === undefined ? otherwise : `write ${key}: ${value}`,
    at: line,
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
