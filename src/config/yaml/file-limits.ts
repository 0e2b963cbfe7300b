// Limits of one YAML file. They are checked on its lines and tokens, before the parser builds a tree: a file of 5 MB can
// have millions of values, and each of them takes the parser a thousand bytes.
import { CST, Lexer } from 'yaml';
import type { ProblemText } from '../errors/problem.ts';

export const mostLines = 200_000;
export const mostNodes = 200_000;
/**
 * Open tokens at which parsing ends: above `deepestNesting`, so that the walk can name several places, and far below
 * any stack.
 */
export const mostOpen = 128;

/** The offset of the first line above the limit; null if there is none. */
export function firstLineTooMany(text: string): number | null {
  let lines = 1;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) {
    lines += 1;
    if (lines > mostLines) return index + 1;
  }
  return null;
}

/**
 * Counts the lexemes of a file. `add` returns a problem for the first one above a limit. Keys, values, list items and
 * opening brackets are nodes. All other marks except white space and comments are counted apart, because a valid file has
 * fewer of them than nodes.
 */
export function openNodeCount(): { add(lexeme: string): ProblemText | null; nodes(): number } {
  let nodes = 0;
  let marks = 0;
  let isScalarNext = false;
  return {
    nodes: () => nodes,
    add(lexeme) {
      // The text of a scalar may look like anything.
      if (isScalarNext) {
        isScalarNext = false;
        return null;
      }
      const type = CST.tokenType(lexeme);
      isScalarNext = type === 'scalar';
      if (type === null || marksOnly.has(type)) marks += 1;
      else if (!withoutCount.has(type)) nodes += 1;
      return nodes > mostNodes || marks > mostNodes ? tooManyNodes() : null;
    },
  };
}

/** The nodes of a text, up to the limit of a file. */
export function nodesIn(text: string): number {
  const count = openNodeCount();
  for (const lexeme of new Lexer().lex(text)) if (count.add(lexeme) !== null) break;
  return count.nodes();
}

/** At least as many as the nodes of a text, up to the limit of a file: each is a mark, or starts after one or a space. */
export function mostNodesIn(text: string): number {
  // The end of a text may count, too.
  let most = 1;
  let isStart = true;
  for (let index = 0; index < text.length && most <= mostNodes; index += 1) {
    const code = text.charCodeAt(index);
    const isMark = isMarkCode[code] === 1;
    if (isMark || (isStart && code > space)) most += 1;
    isStart = isMark || code <= space;
  }
  return most;
}

const space = 0x20;
const isMarkCode = new Uint8Array(0x10000);
for (const mark of '-?:,[]{}#&*!|>\'"%@`') isMarkCode[mark.charCodeAt(0)] = 1;

const withoutCount = new Set<CST.TokenType>([
  'byte-order-mark',
  'doc-mode',
  'flow-error-end',
  'space',
  'comment',
  'newline',
]);
const marksOnly = new Set<CST.TokenType>([
  'doc-start',
  'doc-end',
  'directive-line',
  'map-value-ind',
  'flow-map-end',
  'flow-seq-end',
  'comma',
  'anchor',
  'tag',
  'block-scalar-header',
]);

export function tooManyLines(): ProblemText {
  return {
    code: 'CONFIG_TOO_MANY_NODES',
    message: `The file has more than ${counted(mostLines)} lines, which is the limit.`,
    hint: 'split the file: sections of several files are joined',
  };
}

function tooManyNodes(): ProblemText {
  return {
    code: 'CONFIG_TOO_MANY_NODES',
    message: `The file has more than ${counted(mostNodes)} keys and values, which is the limit. List items and brackets count as well.`,
    hint: 'split the file: sections of several files are joined',
  };
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
