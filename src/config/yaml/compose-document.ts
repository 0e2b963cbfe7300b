import { Composer, type CST, type Document, type ErrorCode, Lexer, type ParsedNode, Parser } from 'yaml';
import type { ProblemText } from '../errors/problem.ts';
import type { Pauses } from '../pauses.ts';
import { openSlices } from './compose-slices.ts';
import { firstLineTooMany, mostOpen, openNodeCount, tooManyLines } from './file-limits.ts';
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
/** Lexemes between two looks at the clock. */
const stride = 1024;
/** Lexemes whose tokens are composed together. */
const lexemesOfSlice = 16 * stride;

/**
 * What `parseDocument` of the library does, with limits and pauses. Its composer recurses, and a stack that runs out in
 * there can end the process. Its parser does not recurse, and knows the collections that are open.
 */
export async function composeDocument(
  text: string,
  pauses: Pauses,
  sliceLength = lexemesOfSlice,
): Promise<Composed | OverLimit> {
  const line = firstLineTooMany(text);
  if (line !== null) return { problem: tooManyLines(), start: line };
  const parser = new Parser();
  const { documents, mistakes, add, slices, end } = openComposer(text);
  const count = openNodeCount();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const problem = count.add(lexeme);
    if (problem !== null) return { problem, start: parser.offset };
    for (const token of parser.next(lexeme)) add(token);
    if (parser.stack.length > mostOpen) return { problem: tooDeep(), start: firstTooDeep(parser) };
    // A second document is an error, so nothing after it counts.
    if (documents.length > 1) break;
    lexemes += 1;
    if (lexemes % sliceLength === 0) slices.take(parser.stack);
    if (lexemes % stride === 0 && pauses.due()) await pauses.take();
  }
  const last = [...parser.end()];
  if (pauses.due()) await pauses.take();
  for (const token of last) add(token);
  end();
  const [document, second] = documents;
  if (second !== undefined) mistakes.push({ code: 'MULTIPLE_DOCS', start: second.range[0], end: second.range[1] });
  // A tree with mistakes is not read.
  if (mistakes.length === 0) slices.restore(document?.contents ?? null);
  const { explicit = false, version } = document?.directives.yaml ?? { version: '1.2' };
  return { root: document?.contents ?? null, version: explicit ? version : null, mistakes };
}

/** A file of bad escapes alone has millions; the count of the others ends here, too. */
const mostMistakes = 20_000;

/**
 * The composer of the library with errors as small records: it makes an error object with a stack for each, and a file
 * can have a hundred thousand.
 */
function openComposer(text: string) {
  const documents: Document.Parsed<ParsedNode, true>[] = [];
  const mistakes: SyntaxMistake[] = [];
  let directives = 0;
  const openPart = (start: number) => {
    const composer = new Composer<ParsedNode, true>(parserOptions);
    composer['onError'] = (source: MistakeSource, code: ErrorCode, _message: string, isWarning = false) => {
      // The walk over the values reports tags.
      if (isWarning && (code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE')) return;
      const range = rangeOf(source);
      if (range.start >= start && mistakes.length < mostMistakes) mistakes.push({ code, ...range });
    };
    return composer;
  };
  const composer = openPart(Number.NEGATIVE_INFINITY);
  const { take, restore } = openSlices((document, start) => {
    const part = openPart(start);
    return withoutStacks(() => [...part.next(document), ...part.end()])[0]?.contents ?? null;
  });
  return {
    documents,
    mistakes,
    slices: {
      restore,
      // Directives change how tags are composed, and one composer uses them up.
      take: (stack: readonly CST.Token[]) => directives === 0 && stack[0]?.type === 'document' && take(stack),
    },
    add(token: CST.Token) {
      if (token.type === 'directive') directives += 1;
      if (token.type === 'error') mistakes.push({ code: 'UNEXPECTED_TOKEN', ...rangeOf(token) });
      else withoutStacks(() => documents.push(...composer.next(token)));
    },
    end() {
      documents.push(...composer.end(true, text.length));
      for (const { errors, warnings } of documents) {
        for (const { code, pos } of [...errors, ...warnings]) mistakes.push({ code, start: pos[0], end: pos[1] });
      }
    },
  };
}

/** The composer catches an error for each bad escape, and a file can have a million. Synchronous. */
function withoutStacks<T>(compose: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return compose();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** How the composer names the place of an error. */
type MistakeSource = number | readonly [start: number, end: number, ...number[]] | MarkedToken;

interface MarkedToken {
  readonly offset: number;
  readonly source?: string;
}

function rangeOf(source: MistakeSource): Omit<SyntaxMistake, 'code'> {
  if (typeof source === 'number') return { start: source, end: source + 1 };
  if (!('offset' in source)) return { start: source[0], end: source[1] };
  return { start: source.offset, end: source.offset + (source.source?.length ?? 1) };
}

function firstTooDeep(parser: Parser): number {
  const [collection] = parser.stack.filter(isCollection).slice(deepestNesting);
  return collection?.offset ?? 0;
}

function isCollection({ type }: CST.Token): boolean {
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}
