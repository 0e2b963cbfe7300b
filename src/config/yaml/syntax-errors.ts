import type { ErrorCode, YAMLError } from 'yaml';
import { type SourceText, sourceAt } from '../../diagnostics/source-text.ts';
import type { ProblemText, Report } from '../errors/problem.ts';

const mostReported = 20;

/**
 * The parser's errors in our words: its own messages quote the text, which may be a secret. One mistake makes many errors,
 * so each line is told once, and a file a few times.
 */
export function reportSyntaxErrors(errors: readonly YAMLError[], source: SourceText, report: Report): void {
  const lines = new Set<number>();
  for (const error of [...errors].sort((left, right) => left.pos[0] - right.pos[0])) {
    const start = Math.min(error.pos[0], source.text.length);
    const { line } = sourceAt(source, start);
    if (lines.has(line) || lines.size >= mostReported) continue;
    lines.add(line);
    const text = isBareReference(source.text, start) ? bareReference : textOf(error.code);
    report(indentedByTab(source, line) ?? { ...text, at: { source, start, end: Math.max(start + 1, error.pos[1]) } });
  }
}

function indentedByTab(source: SourceText, line: number): ReturnType<typeof tabProblem> | null {
  const lineStart = source.lineStarts()[line - 1] ?? 0;
  const indent = /^[ \t]*/.exec(source.text.slice(lineStart, lineStart + 1000))?.[0] ?? '';
  const tab = indent.indexOf('\t');
  return tab < 0 ? null : tabProblem(source, lineStart + tab);
}

/** Inside brackets a brace ends a text without quotes, so `{ limit: ${env:LIMIT} }` breaks at the brace of the reference. */
function isBareReference(text: string, start: number): boolean {
  return start > 0 && text.startsWith('${', start - 1);
}

const bareReference = {
  code: 'CONFIG_YAML_SYNTAX',
  message: 'Inside brackets a reference must stand in quotes: a brace has a meaning of its own there.',
  hint: 'put the text in quotes; where a number is needed, write the mapping or the list without brackets',
} as const;

function tabProblem(source: SourceText, start: number) {
  return {
    code: 'CONFIG_TAB_INDENT' as const,
    message: 'A tab stands in the indentation of this line; YAML is indented with spaces only.',
    hint: 'replace the tab with spaces',
    at: { source, start, end: start + 1 },
  };
}

function textOf(code: ErrorCode): ProblemText {
  const told = texts[code] ?? {
    message: 'This is not valid YAML.',
    hint: 'check quotes, brackets, colons and indentation here',
  };
  return { code: 'CONFIG_YAML_SYNTAX', ...told };
}

const tagText = {
  code: 'CONFIG_YAML_TAG',
  message: 'This tag is refused: types come from the schema, not from tags.',
  hint: 'remove the tag; put the value in quotes if it shall be text',
} as const;

const texts: Partial<Record<ErrorCode, Omit<ProblemText, 'code'> & Partial<Pick<ProblemText, 'code'>>>> = {
  ALIAS_PROPS: { message: 'An alias can have neither an anchor nor a tag.', hint: 'remove what stands before the *' },
  BAD_ALIAS: {
    message: 'The name of this anchor or alias is empty or ends in a colon.',
    hint: 'give it a name of letters and digits, and a space before the colon',
  },
  BAD_COLLECTION_TYPE: tagText,
  BAD_DIRECTIVE: {
    message: 'This directive is not known; files are read as YAML 1.2.',
    hint: 'remove the line that starts with %',
  },
  BAD_DQ_ESCAPE: {
    message: 'Text in double quotes holds an escape that YAML does not know.',
    hint: 'write \\\\ for a backslash, or use single quotes, which have no escapes',
  },
  BAD_INDENT: {
    message: 'This line is not indented like its neighbours.',
    hint: 'give all keys of one mapping, and all items of one list, the same column',
  },
  BAD_PROP_ORDER: {
    message: 'An anchor stands at the wrong side of an indicator.',
    hint: 'write the anchor right before the value',
  },
  BAD_SCALAR_START: {
    message: 'A text without quotes cannot start with this character.',
    hint: 'put the text in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'A mapping or a list cannot start here, on the line of another key.',
    hint: 'start it on the next line, deeper indented; or quote a text that holds a colon and a space',
  },
  BLOCK_IN_FLOW: {
    message: 'A mapping or a list by indentation cannot stand inside brackets.',
    hint: 'use brackets inside as well, or none outside',
  },
  KEY_OVER_1024_CHARS: {
    message: 'This key is longer than 1024 characters, which is the limit of YAML.',
    hint: 'shorten it',
  },
  MISSING_CHAR: {
    message: 'Something is missing here: a closing quote or bracket, a colon after a key, a comma, or a space.',
    hint: 'look for what was opened and not closed before this place',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'A key must stand on one line.',
    hint: 'a colon may be missing on the line before',
  },
  MULTIPLE_ANCHORS: { message: 'A value can have one anchor only.', hint: 'remove the others' },
  MULTIPLE_DOCS: {
    code: 'CONFIG_MULTIPLE_DOCUMENTS',
    message: 'A second document starts here; a file holds one.',
    hint: 'move it into a file of its own: the files of a folder are joined',
  },
  MULTIPLE_TAGS: tagText,
  TAB_AS_INDENT: {
    code: 'CONFIG_TAB_INDENT',
    message: 'A tab stands where YAML wants spaces.',
    hint: 'replace the tab with spaces',
  },
  TAG_RESOLVE_FAILED: tagText,
  UNEXPECTED_TOKEN: {
    message: 'This is not expected here.',
    hint: 'check the quotes, the brackets and the indentation before this place',
  },
};
