import { Composer, CST, type Document, type ErrorCode, Lexer, type ParsedNode, Parser } from 'yaml';
import type { ProblemText } from '../errors/problem.ts';
import { openNodeCount, tooMany } from '../limits.ts';
import { deepestNesting, tooDeep } from './yaml-problems.ts';

/** An error of the parser, without its message, which quotes the text. */
export interface SyntaxMistake {
  readonly code: ErrorCode;
  readonly start: number;
  readonly end: number;
}

export interface Composed {
  readonly root: ParsedNode | null;
  /** The version of a `%YAML` line; null without one. */
  readonly version: string | null;
  /** In the order of the file. */
  readonly mistakes: readonly SyntaxMistake[];
}

/** Why a file is not parsed to its end, and where. */
export interface OverLimit {
  readonly problem: ProblemText;
  readonly start: number;
}

/** The schema without types: read-plain-scalar.ts decides what a text without quotes means. */
export const parserOptions = {
  version: '1.2',
  schema: 'failsafe',
  strict: true,
  uniqueKeys: false,
  merge: false,
  resolveKnownTags: false,
  prettyErrors: false,
  keepSourceTokens: false,
  logLevel: 'error',
} as const;

/**
 * Open tokens at which parsing ends: above `deepestNesting`, so that the walk can name several places, and far below
 * any stack.
 */
const mostOpen = 128;

/**
 * The three steps of `parseDocument` of the library, with limits: its composer recurses, and makes an object for each
 * mistake. Its parser does not recurse, and knows the collections that are open.
 */
export function composeDocument(text: string): Composed | OverLimit {
  const tokens = tokensOf(text);
  return 'problem' in tokens ? tokens : withoutStacks(() => composed(tokens, text));
}

/** The tokens of the first document, and the start of the second. */
function tokensOf(text: string): readonly CST.Token[] | OverLimit {
  const parser = new Parser();
  const count = openNodeCount();
  const tokens: CST.Token[] = [];
  let documents = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (!count.take(lexeme)) return { problem: tooMany, start: parser.offset };
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'document') documents += 1;
    }
    if (parser.stack.length > mostOpen) return { problem: tooDeep, start: firstTooDeep(parser) };
    // A second document is an error, so nothing after it counts.
    if (documents > 1) return tokens;
  }
  return [...tokens, ...parser.end()];
}

function composed(tokens: readonly CST.Token[], text: string): Composed {
  const composer = new Composer<ParsedNode, true>(parserOptions);
  const documents: Document.Parsed<ParsedNode, true>[] = [...composer.compose(tokens, true, text.length)];
  const mistakes = documents.flatMap(({ errors, warnings }) => [
    ...errors,
    // The walk over the values reports tags.
    ...warnings.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED' && code !== 'BAD_COLLECTION_TYPE'),
  ]);
  const found = mistakes.map(({ code, pos }) => ({ code, start: pos[0], end: pos[1] }));
  const [document, second] = documents;
  if (second !== undefined) found.push({ code: 'MULTIPLE_DOCS', start: second.range[0], end: second.range[1] });
  const { explicit = false, version } = document?.directives.yaml ?? { version: '1.2' };
  return {
    root: document?.contents ?? null,
    version: explicit ? version : null,
    mistakes: found.sort((left, right) => left.start - right.start),
  };
}

/** The composer makes an error for each mistake, and a file can have a hundred thousand. */
function withoutStacks<T>(compose: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return compose();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function firstTooDeep(parser: Parser): number {
  const [collection] = parser.stack.filter((token) => CST.isCollection(token)).slice(deepestNesting);
  return collection?.offset ?? 0;
}
