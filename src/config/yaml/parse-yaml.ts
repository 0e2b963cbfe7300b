import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  Lexer,
  type ParsedNode,
  Parser,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { isReported, type ProblemText, type Report } from '../errors/problem.ts';
import { plainValues, type Substitution } from './plain-values.ts';
import { reportSyntaxErrors } from './syntax-errors.ts';
import type { YamlFile } from './yaml-file.ts';
import { deepestNesting, tooDeep } from './yaml-problems.ts';

// The schema without types: read-plain-scalar.ts decides what a text without quotes means.
const options = {
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
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const mostReported = 20;
/**
 * Open tokens at which parsing ends: above `deepestNesting`, so that the walk can name several places, and far below
 * any stack.
 */
const mostOpen = 128;

/** How a file is read. */
export interface Reading {
  readonly holds: 'sections' | 'variables';
  /** Null if references stay as they are. */
  readonly substitution: Substitution | null;
}

const sectionsOnly: Reading = { holds: 'sections', substitution: null };
export const variablesOnly: Reading = { holds: 'variables', substitution: null };

/** A file as plain values and a tree; null when its errors leave nothing to continue with. */
export function parseYaml(
  source: SourceText,
  report: Report,
  { holds, substitution }: Reading = sectionsOnly,
): YamlFile | null {
  if (reportControlCharacters(source, report)) return null;
  const document = parse(source, report);
  if (document === null || reportErrors(document, source, report)) return null;
  const root: ParsedNode | null = document.contents;
  if (isEmpty(root)) return refuse(source, 0, emptyFile(holds), report);
  const { value, aliases, written } = plainValues(root, source, report, substitution);
  if (isReported(value)) return null;
  if (!isMap(root)) return refuse(source, root.range[0], notAMapping(holds), report, root.range[1]);
  // Only a mapping is read to an object.
  return { source, root, value: value as Readonly<Record<string, unknown>>, aliases, written };
}

function reportControlCharacters(source: SourceText, report: Report): boolean {
  let reported = 0;
  for (const match of source.text.matchAll(controlCharacters)) {
    if (++reported > mostReported) break;
    const name = `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    report({
      code: 'CONFIG_CONTROL_CHARACTER',
      message: `The control character ${name} is not allowed. Only tabs and line breaks are.`,
      hint: 'delete it, or write an escape in double quotes, such as "\\x1b"',
      at: { source, start: match.index, end: match.index + 1 },
    });
  }
  return reported > 0;
}

/**
 * What `parseDocument` of the library does, with a limit for nesting. Its composer recurses, and a stack that runs out
 * in there can end the process. Its parser does not recurse, and knows the collections that are open.
 */
function parse(source: SourceText, report: Report): Document.Parsed | null {
  const parser = new Parser();
  const documents = new Composer(options).compose(tokensOf(source.text, parser), true, source.text.length);
  try {
    const [document, second] = documents;
    // The composer creates a document even without tokens.
    if (document === undefined) return null;
    if (second !== undefined)
      document.errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', ''));
    return document as Document.Parsed;
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const [place] = parser.stack.filter(isCollection).slice(deepestNesting);
    return refuse(source, place?.offset ?? 0, tooDeep(), report);
  }
}

class TooDeep extends Error {}

function* tokensOf(text: string, parser: Parser): Generator<CST.Token> {
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > mostOpen) throw new TooDeep();
  }
  yield* parser.end();
}

function isCollection({ type }: CST.Token): boolean {
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

/** True if the tree may be wrong. */
function reportErrors(document: Document.Parsed, source: SourceText, report: Report): boolean {
  const warnings: YAMLError[] = document.warnings.filter(
    (warning) => warning.code !== 'TAG_RESOLVE_FAILED' && warning.code !== 'BAD_COLLECTION_TYPE',
  );
  reportSyntaxErrors([...document.errors, ...warnings], source, report);
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    refuse(source, Math.max(0, source.text.indexOf('%YAML')), otherVersion(document.directives.yaml.version), report);
  }
  return [...document.errors, ...warnings].some((error) => error.code !== 'MULTIPLE_DOCS');
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

function emptyFile(holds: Reading['holds']): ProblemText {
  return holds === 'sections'
    ? {
        code: 'CONFIG_EMPTY_FILE',
        message: 'The file is empty or has only comments. It could mean "unmanaged" or "none", so it is an error.',
        hint: 'delete the file, or add a section; an empty section is written []',
      }
    : {
        code: 'CONFIG_EMPTY_FILE',
        message: 'The variable file is empty or has only comments.',
        hint: 'delete the file, or add a variable: NAME: value',
      };
}

function notAMapping(holds: Reading['holds']): ProblemText {
  return holds === 'sections'
    ? {
        code: 'CONFIG_WRONG_TYPE',
        message: 'A file must be a mapping whose keys are sections.',
        hint: 'start the file with the key of a section, such as tenant:',
      }
    : {
        code: 'CONFIG_WRONG_TYPE',
        message: 'A variable file must be a mapping of names to values.',
        hint: 'write NAME: value, one on each line',
      };
}

function otherVersion(version: string) {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `The file declares YAML ${version}, but only YAML 1.2 is supported.`,
    hint: 'delete the %YAML line',
  } as const;
}
