// Limits of one file, and of all files of a run together. Values are counted before the parser builds a tree: a file of
// 4 MB can have millions, and each of them takes the parser a thousand bytes.
import { CST, Lexer } from 'yaml';
import type { SourceText } from '../diagnostics/source-text.ts';
import { memoized } from '../values/memoized.ts';
import { thousands } from '../values/thousands.ts';
import type { ProblemText } from './errors/problem.ts';

/** Keys, values and list items of one file. */
export const mostNodes = 200_000;
/** The same of all files. */
const mostNodesInAll = 1_000_000;
/** Of all YAML files, texts and values that replace references: what is referred to twice is sent and compared twice. */
const mostBytesInAll = 50_000_000;

/** Takes bytes, or characters of a text, of what the files of a run may add up to; false once there is too much. */
export type TakeBytes = (bytes: number) => boolean;

export function openFolderBudget(): TakeBytes {
  let left = mostBytesInAll;
  return (bytes) => {
    left -= bytes;
    return left >= 0;
  };
}

/** The first of these texts with which all texts have too many nodes; null for none. */
export function firstTooMany(texts: readonly SourceText[]): SourceText | null {
  // Counting exactly takes a good part of the time of parsing.
  return firstAbove(texts, mostNodesIn) && firstAbove(texts, nodesIn);
}

function firstAbove(texts: readonly SourceText[], count: (text: string) => number): SourceText | null {
  let left = mostNodesInAll;
  const isAbove = ({ text }: SourceText) => {
    left -= count(text);
    return left < 0;
  };
  return texts.find(isAbove) ?? null;
}

/** The nodes of a text, up to the limit of a file. */
export function nodesIn(text: string): number {
  const count = openNodeCount();
  for (const lexeme of new Lexer().lex(text)) if (!count.take(lexeme)) break;
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

/**
 * Counts the lexemes of a file. `take` is false for the first one above a limit. Keys, values, list items and opening
 * brackets are nodes. Line ends, and all other marks and escapes, are counted apart: a usual file has fewer of either
 * than nodes.
 */
export function openNodeCount(): { take(lexeme: string): boolean; nodes(): number } {
  let nodes = 0;
  let marks = 0;
  let lines = 1;
  let isScalarNext = false;
  return {
    nodes: () => nodes,
    take(lexeme) {
      const type = isScalarNext ? 'space' : CST.tokenType(lexeme);
      // The text of a scalar may look like anything.
      isScalarNext = type === 'scalar';
      if (lexeme.includes('\n')) lines += lexeme.split('\n').length - 1;
      if (type === 'double-quoted-scalar') marks += lexeme.match(/\\/g)?.length ?? 0;
      const effect = type === null ? 'marks' : countedAs(type);
      if (effect === 'marks') marks += 1;
      else if (effect === 'nodes') nodes += 1;
      return Math.max(nodes, marks, lines) <= mostNodes;
    },
  };
}

/** As what a lexeme of this type counts. */
const countedAs = memoized((type: string) =>
  marksOnly.test(type) ? 'marks' : withoutCount.test(type) ? 'nothing' : 'nodes',
);
/** Types of lexemes of the parser. */
const withoutCount = /^(?:byte-order-mark|doc-mode|flow-error-end|space|comment|newline)$/;
const marksOnly =
  /^(?:doc-start|doc-end|directive-line|map-value-ind|flow-...-end|comma|anchor|tag|block-scalar-header)$/;

export const tooMany: ProblemText = {
  code: 'CONFIG_TOO_MANY_NODES',
  message: `The file has more than ${thousands(mostNodes)} keys and values, which is the limit. List items, brackets, escapes and lines count as well.`,
  hint: 'split the file: sections of several files are joined',
};

export const tooManyBytesInAll = tooLarge(`${mostBytesInAll / 1_000_000} MB`);
export const tooManyNodesInAll = tooLarge(`${thousands(mostNodesInAll)} keys and values`);

function tooLarge(most: string): ProblemText {
  return {
    code: 'CONFIG_FOLDER_TOO_LARGE',
    message: `The files have more than ${most} together, which is the limit. A text or a value counts as often as it is referred to.`,
    hint: 'delete files that are not declarations of this tenant, pass another folder, or use shorter texts and values',
  };
}
