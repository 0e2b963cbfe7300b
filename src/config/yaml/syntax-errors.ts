import type { ErrorCode } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import type { ProblemText, Report } from '../errors/problem.ts';
import type { SyntaxMistake } from './compose-document.ts';
import { layoutProblem } from './layout-problem.ts';

/**
 * Reports the first error of the parser in own words: the parser quotes the text, which may be a secret. One mistake
 * causes many errors, so the others are not shown.
 */
export function reportSyntaxErrors(mistakes: readonly SyntaxMistake[], source: SourceText, report: Report): void {
  const [first] = mistakes;
  if (first === undefined) return;
  const start = Math.min(first.start, source.text.length);
  const at = { source, start, end: Math.max(start + 1, first.end) };
  if (isBareReference(source.text, start)) report({ ...bareReference, at });
  else report(layoutProblem(mistakes, source) ?? { ...textOf(first.code), at });
}

/**
 * Inside brackets a brace ends a text without quotes, so `{ limit: ${env:LIMIT} }` breaks at the brace of the
 * reference.
 */
function isBareReference(text: string, start: number): boolean {
  return start > 0 && text.startsWith('${', start - 1);
}

const bareReference = {
  code: 'CONFIG_YAML_SYNTAX',
  message: 'Inside brackets, a reference must be in quotes, because a brace ends an unquoted string.',
  hint: 'put the value in quotes; where a number is needed, write the mapping or the list without brackets',
} as const;

function textOf(code: ErrorCode): ProblemText {
  const known = texts[code] ?? {
    message: 'This is not valid YAML.',
    hint: 'check the quotes, brackets, colons and indentation here',
  };
  return { code: 'CONFIG_YAML_SYNTAX', ...known };
}

const tagText = {
  code: 'CONFIG_YAML_TAG',
  message: 'This tag is not allowed. Types come from the schema.',
  hint: 'delete the tag; put the value in quotes if it is a string',
} as const;

const texts: Partial<Record<ErrorCode, Omit<ProblemText, 'code'> & Partial<Pick<ProblemText, 'code'>>>> = {
  ALIAS_PROPS: { message: 'An alias cannot have an anchor or a tag.', hint: 'delete the text before the *' },
  BAD_ALIAS: {
    message: 'The name of this anchor or alias is empty or ends in a colon.',
    hint: 'write a name of letters and digits, and a space before the colon; put a wildcard in quotes: "*"',
  },
  BAD_COLLECTION_TYPE: tagText,
  BAD_DIRECTIVE: {
    message: 'This directive is not supported.',
    hint: 'delete the line that starts with %',
  },
  BAD_DQ_ESCAPE: {
    message: 'This escape is not valid in double quotes.',
    hint: 'write \\\\ for a backslash, or use single quotes, which have no escapes',
  },
  BAD_INDENT: {
    message: 'The indentation of this line does not match the lines around it.',
    hint: 'start all keys of a mapping, and all items of a list, in the same column',
  },
  BAD_PROP_ORDER: {
    message: 'This anchor is in the wrong position.',
    hint: 'write the anchor directly before the value',
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
  KEY_OVER_1024_CHARS: {
    message: 'This key is longer than 1024 characters, which is the limit of YAML.',
    hint: 'shorten the key',
  },
  MISSING_CHAR: {
    message: 'A character is missing: a closing quote or bracket, a comma, a space, or a colon after a key.',
    hint: 'close the quote or bracket that was opened before this position',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'A key must be on one line.',
    hint: 'check the previous line for a missing colon',
  },
  MULTIPLE_ANCHORS: { message: 'A value can have only one anchor.', hint: 'delete the others' },
  MULTIPLE_DOCS: {
    code: 'CONFIG_MULTIPLE_DOCUMENTS',
    message: 'A second document starts here. A file can have only one.',
    hint: 'move the document into a file of its own: sections of several files are joined',
  },
  MULTIPLE_TAGS: tagText,
  TAB_AS_INDENT: {
    code: 'CONFIG_TAB_INDENT',
    message: 'There is a tab where YAML requires spaces.',
    hint: 'replace the tab with spaces',
  },
  TAG_RESOLVE_FAILED: tagText,
  UNEXPECTED_TOKEN: {
    message: 'This text is not valid YAML here.',
    hint: 'check the quotes, the brackets and the indentation before this position',
  },
};
