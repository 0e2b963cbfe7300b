import { Composer, CST, type Document, isMap, isScalar, Lexer, type ParsedNode, Parser } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { isReported, type ProblemText, type Report } from '../errors/problem.ts';
import { openNodeCount, tooMany } from '../limits.ts';
import { plainValues, type Substitution } from './plain-values.ts';
import { type SyntaxMistake, syntaxProblem } from './syntax-problem.ts';
import type { YamlFile } from './yaml-file.ts';
import { controlCharacter, deepestNesting, problems } from './yaml-problems.ts';

const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** A file as plain values and a tree; null when its errors leave nothing to continue with. */
export function parseYaml(
  source: SourceText,
  report: Report,
  substitution: Substitution | null = null,
): YamlFile | null {
  if (reportControlCharacters(source, report)) return null;
  const composed = composeDocument(source.text);
  if ('problem' in composed) return refuse(source, composed.start, composed.problem, report);
  const { root, mistakes, tokens } = composed;
  const [first] = mistakes;
  if (first !== undefined) report(syntaxProblem(first, mistakes, tokens, source));
  // With another error, the tree may be wrong.
  if (mistakes.some(({ code }) => code !== 'MULTIPLE_DOCS')) return null;
  if (isEmpty(root)) return refuse(source, 0, problems.emptyFile, report);
  const { value, ...rest } = plainValues(root, source, report, substitution);
  if (isReported(value)) return null;
  if (!isMap(root)) return refuse(source, root.range[0], problems.notAMapping, report, root.range[1]);
  // Only a mapping is read to an object.
  return { source, root, value: value as Readonly<Record<string, unknown>>, ...rest };
}

function reportControlCharacters(source: SourceText, report: Report): boolean {
  let found = false;
  for (const match of source.text.matchAll(controlCharacters)) {
    found = true;
    const at = { source, start: match.index, end: match.index + 1 };
    report({ at, make: () => controlCharacter(match[0]) });
  }
  return found;
}

function isEmpty(root: ParsedNode | null): root is null {
  if (root === null) return true;
  if (isMap(root)) return root.items.length === 0;
  return (
    isScalar(root) &&
    root.type === 'PLAIN' &&
    /^(?:|~|null|Null|NULL)$/.test(String(root.value)) &&
    root.tag === undefined
  );
}

function refuse(
  source: SourceText,
  start: number,
  problem: ProblemText,
  report: Report,
  end: number = start + 1,
): null {
  report({ ...problem, at: { source, start, end } });
  return null;
}

interface Composed {
  readonly root: ParsedNode | null;
  /** In the order of the file. */
  readonly mistakes: readonly SyntaxMistake[];
  readonly tokens: readonly CST.Token[];
}

/** Why a file is not parsed to its end, and where. */
interface OverLimit {
  readonly problem: ProblemText;
  readonly start: number;
}

/** The schema without types: read-plain-scalar.ts decides what a text without quotes means. */
const parserOptions = {
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
function composeDocument(text: string): Composed | OverLimit {
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
    if (parser.stack.length > mostOpen) return { problem: problems.tooDeep, start: firstTooDeep(parser) };
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
  return {
    root: document?.contents ?? null,
    mistakes: found.sort((left, right) => left.start - right.start),
    tokens,
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
