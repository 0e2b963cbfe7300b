// The parser's first error as a problem: most others follow from it. The parser's own message quotes the text, which may be
// a secret, so each of its codes has a text here.
import { CST, type ErrorCode } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { lineEnd, skip } from '../../values/line-ends.ts';
import type { Problem, ProblemText } from '../errors/problem.ts';
import { problems } from './yaml-problems.ts';

/** An error of the parser. */
export interface SyntaxMistake {
  readonly code: ErrorCode;
  readonly start: number;
  readonly end: number;
}

/** `mistakes` are all of them, in the order of the file, and `tokens` are what the parser made of it. */
export function syntaxProblem(
  first: SyntaxMistake,
  mistakes: readonly SyntaxMistake[],
  tokens: readonly CST.Token[],
  source: SourceText,
): Problem {
  const { text } = source;
  const problemAt = (problem: ProblemText, start: number, end = lineEnd(text, start)) => {
    const at = { source, start: Math.min(start, text.length), end: Math.max(start + 1, end) };
    return { ...problem, at };
  };
  const marker = conflictMarker.exec(text);
  if (marker !== null && marker.index <= first.end) return problemAt(mergeConflict, marker.index);
  // Inside brackets a brace ends a text without quotes, so `{ limit: ${env:LIMIT} }` breaks at the reference.
  if (first.start > 0 && text.startsWith('${', first.start - 1))
    return problemAt(bareReference, first.start, first.end);
  const [open, ...others] = unclosed(tokens).filter((offset) => offset <= first.end);
  if (open !== undefined) {
    const [start, end] = [text.charAt(others.at(-1) ?? open), text.charAt(first.start)];
    return /[[{]/.test(start) && /[\]}]/.test(end)
      ? problemAt(wrongEnd(start, end), first.start, first.end)
      : problemAt(neverClosed(text.charAt(open)), open, open + 1);
  }
  const start = skip(linesWithoutContent, text, first.start);
  const key = mistakes.find((one) => one.code === 'MULTILINE_IMPLICIT_KEY' && one.start <= start);
  if (key === undefined) {
    const isAlone = /^ *$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
    return start > first.start || (first.code === 'UNEXPECTED_TOKEN' && isAlone)
      ? problemAt(textOf('BAD_INDENT'), start)
      : problemAt(textOf(first.code), start, first.end);
  }
  const last = text.lastIndexOf('\n', key.end - 2) + 1;
  const isKey = /^[ -]*$/.test(text.slice(text.lastIndexOf('\n', key.start - 1) + 1, key.start));
  return isKey && last > key.start
    ? problemAt(textOf('MULTILINE_IMPLICIT_KEY'), key.start)
    : problemAt(textOf('BAD_INDENT'), skip(blanks, text, last));
}

/** The offsets of quotes and brackets that are never closed; those in others come later. */
function unclosed(tokens: readonly CST.Token[]): number[] {
  const found: number[] = [];
  for (const document of tokens) {
    if (document.type !== 'document') continue;
    CST.visit(document, ({ key, value }) => {
      for (const token of [key, value]) if (token != null && isUnclosed(token)) found.push(token.offset);
    });
  }
  return found;
}

function isUnclosed(token: CST.Token): boolean {
  if (token.type === 'flow-collection') return token.end[0]?.source !== closing[token.start.source];
  if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar') return false;
  return token.source.length === 1 || !token.source.endsWith(token.source.charAt(0));
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

const blanks = / */y;
const linesWithoutContent = /(?<![^\n])(?: *(?:#.*)?\r?\n)* */y;

function neverClosed(character: string): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `This ${/["']/.test(character) ? 'quote' : 'bracket'} is not closed.`,
    hint: `write ${closing[character]} at the end of the value; its further lines must be indented by more spaces than the key`,
  };
}

/** A line that git writes; without a text after it, it could be YAML. */
const conflictMarker = /^(?:<{7}|>{7}) /m;

const mergeConflict: ProblemText = {
  code: 'CONFIG_YAML_SYNTAX',
  message: 'This line was written by git: a merge conflict is not resolved.',
  hint: 'keep what is meant of the two sides, and delete the lines with <<<<<<<, ======= and >>>>>>>',
};

function wrongEnd(start: string, end: string): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `This ${end} cannot close the ${start} before it.`,
    hint: `write ${closing[start]} here, or close the ${start} before this position`,
  };
}

const bareReference: ProblemText = {
  code: 'CONFIG_YAML_SYNTAX',
  message: 'Inside brackets, a reference must be in quotes, because a brace ends an unquoted string.',
  hint: 'put the reference in quotes, as in { action: log, limit: "${var:LIMIT}" }; it takes the type that its field needs',
};

function textOf(code: ErrorCode): ProblemText {
  const known = texts[code] ?? {
    message: 'This is not valid YAML here.',
    hint: 'check the quotes, brackets, colons and indentation before this position',
  };
  return { code: 'CONFIG_YAML_SYNTAX', ...known };
}

const texts: Partial<Record<ErrorCode, Omit<ProblemText, 'code'> & Partial<ProblemText>>> = {
  ALIAS_PROPS: { message: 'An alias cannot have an anchor or a tag.', hint: 'delete the text before the *' },
  BAD_ALIAS: {
    message: 'The name of this anchor or alias is empty or ends in a colon.',
    hint: 'write a name of letters and digits, and a space before the colon; put a wildcard in quotes: "*"',
  },
  BAD_DQ_ESCAPE: {
    message: 'This escape is not valid in double quotes.',
    hint: 'write \\\\ for a backslash, or use single quotes, which have no escapes',
  },
  BAD_INDENT: {
    code: 'CONFIG_INDENTATION',
    message: 'The indentation of this line does not fit the lines above it.',
    hint: 'start all keys of a mapping, and all items of a list, in the same column, with spaces before them',
  },
  BAD_SCALAR_START: {
    message: 'An unquoted string cannot start with this character.',
    hint: 'put the string in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'A mapping or a list cannot start after another key in the same line.',
    hint: 'start it on the next line, indented; put a string that contains a colon and a space in quotes',
  },
  BLOCK_IN_FLOW: {
    message: 'An indented mapping or list cannot be inside brackets.',
    hint: 'use brackets or indentation for both',
  },
  MISSING_CHAR: {
    message: 'A character is missing: a colon and a space after a key, a dash before an item, a comma or a space.',
    hint: 'write it, or start the line in the column of the other keys or items',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'This text is not a key, because it has no colon with a space after it.',
    hint: 'write KEY: VALUE, or indent the line by more spaces than the key above to continue its value',
  },
  MULTIPLE_DOCS: {
    code: 'CONFIG_MULTIPLE_DOCUMENTS',
    message: 'A second document starts here. A file can have only one.',
    hint: 'move the document into a file of its own: sections of several files are joined',
  },
  MULTIPLE_TAGS: problems.tag,
  TAB_AS_INDENT: {
    code: 'CONFIG_TAB_INDENT',
    message: 'This line is indented with a tab. YAML allows only spaces.',
    hint: 'replace the tab with spaces',
  },
};
