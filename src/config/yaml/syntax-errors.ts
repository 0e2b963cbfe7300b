import type { ErrorCode } from 'yaml';
import { type SourceText, sourceAt } from '../../diagnostics/source-text.ts';
import type { ProblemText, Report } from '../errors/problem.ts';
import type { SyntaxMistake } from './compose-document.ts';
import { findLayoutProblems, type LayoutProblem } from './layout-problems.ts';

/**
 * Own messages for errors of the parser, which quotes the text, and that may be a secret. One mistake causes many
 * errors, so each line is reported once. A mistake in the layout of the file is reported instead of the errors that it
 * causes; those after it may be of the same cause.
 */
export function reportSyntaxErrors(errors: readonly SyntaxMistake[], source: SourceText, report: Report): void {
  if (errors.length === 0) return;
  const sorted = errors.toSorted((left, right) => left.start - right.start);
  const layout = causesOf(sorted, source);
  const firstCause = layout[0]?.from ?? source.text.length + 1;
  for (const { problem } of layout) report(problem);
  const lines = new Set<number>();
  for (const error of sorted) {
    const start = Math.min(error.start, source.text.length);
    const { line } = sourceAt(source, start);
    if (lines.has(line)) continue;
    if (start >= firstCause && layoutErrors.has(error.code)) continue;
    lines.add(line);
    const text = isBareReference(source.text, start) ? bareReference : textOf(error.code);
    report({ ...text, at: { source, start, end: Math.max(start + 1, error.end) } });
  }
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

/** The mistakes in the layout that explain an error of the parser. */
function causesOf(errors: readonly SyntaxMistake[], source: SourceText): readonly LayoutProblem[] {
  const places = errors.filter(({ code }) => layoutErrors.has(code)).map(({ start }) => start);
  if (places.length === 0 || places.some((start) => isBareReference(source.text, start))) return [];
  return findLayoutProblems(source, places.at(-1) ?? 0).filter(({ from, to }) =>
    places.some((start) => start >= from && start <= to),
  );
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
