// Limits of one YAML file. They are checked on its lines and tokens, before the parser builds a tree: a file of 5 MB can
// have millions of values, and each of them takes the parser a thousand bytes.
import { CST } from 'yaml';
import type { ProblemText } from '../errors/problem.ts';
import { type FolderBudget, tooManyNodesInAll } from '../folder-limits.ts';

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
export function openNodeCount(budget: FolderBudget): { add(lexeme: string): ProblemText | null } {
  let nodes = 0;
  let marks = 0;
  let isScalarNext = false;
  return {
    add(lexeme) {
      // The text of a scalar may look like anything.
      if (isScalarNext) {
        isScalarNext = false;
        return null;
      }
      const type = CST.tokenType(lexeme);
      isScalarNext = type === 'scalar';
      if (type === null || marksOnly.has(type)) marks += 1;
      else if (!withoutCount.has(type)) {
        nodes += 1;
        if (!budget.takeNode()) return tooManyNodesInAll();
      }
      return nodes > mostNodes || marks > mostNodes ? tooManyNodes() : null;
    },
  };
}

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
