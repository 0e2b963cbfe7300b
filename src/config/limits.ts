// Limits of one file, and of all files of a run together. Values are counted before the parser builds a tree: a file of
// 4 MB can have millions, and each of them takes the parser a thousand bytes.
import { CST, Lexer } from 'yaml';
import type { SourceText } from '../diagnostics/source-text.ts';
import type { ProblemText } from './errors/problem.ts';

export const mostLines = 200_000;
/** Keys, values and list items of one file. */
export const mostNodes = 200_000;
/** The same of all files. */
const mostNodesInAll = 1_000_000;
/** Of all YAML files. */
const mostBytesInAll = 50_000_000;
/** Of all texts and values that replace references: what is referred to twice is sent and compared twice. */
const mostReferencedCharacters = 20_000_000;

/** What the files of a run may still add up to: each function is false once there is too much. */
export interface FolderBudget {
  takeBytes(bytes: number): boolean;
  takeCharacters(characters: number): boolean;
}

export function openFolderBudget(): FolderBudget {
  const openTake = (left: number) => (amount: number) => {
    left -= amount;
    return left >= 0;
  };
  return { takeBytes: openTake(mostBytesInAll), takeCharacters: openTake(mostReferencedCharacters) };
}

/** The first of these texts with which all texts have too many nodes; null for none. */
export function firstTooMany(texts: readonly SourceText[]): SourceText | null {
  // Counting exactly takes a good part of the time of parsing.
  return firstAbove(texts, mostNodesIn) === null ? null : firstAbove(texts, nodesIn);
}

function firstAbove(texts: readonly SourceText[], count: (text: string) => number): SourceText | null {
  let nodes = 0;
  return (
    texts.find(({ text }) => {
      nodes += count(text);
      return nodes > mostNodesInAll;
    }) ?? null
  );
}

/** The offset of the first line above the limit; null if there is none. */
export function firstLineTooMany(text: string): number | null {
  let lines = 1;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) {
    lines += 1;
    if (lines > mostLines) return index + 1;
  }
  return null;
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

/**
 * Counts the lexemes of a file. `add` returns a problem for the first one above a limit. Keys, values, list items and
 * opening brackets are nodes. All other marks except white space and comments, and escapes, are counted apart: a usual
 * file has fewer of them than nodes.
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
      if (type === 'double-quoted-scalar') marks += lexeme.match(/\\/g)?.length ?? 0;
      if (type === null || marksOnly.test(type)) marks += 1;
      else if (!withoutCount.test(type)) nodes += 1;
      return nodes > mostNodes || marks > mostNodes ? tooMany('keys and values') : null;
    },
  };
}

/** Types of lexemes of the parser. */
const withoutCount = /^(?:byte-order-mark|doc-mode|flow-error-end|space|comment|newline)$/;
const marksOnly =
  /^(?:doc-start|doc-end|directive-line|map-value-ind|flow-...-end|comma|anchor|tag|block-scalar-header)$/;

export function tooMany(what: 'lines' | 'keys and values'): ProblemText {
  const rule = what === 'lines' ? '' : ' List items, brackets and escapes count as well.';
  return {
    code: 'CONFIG_TOO_MANY_NODES',
    message: `The file has more than ${counted(what === 'lines' ? mostLines : mostNodes)} ${what}, which is the limit.${rule}`,
    hint: 'split the file: sections of several files are joined',
  };
}

export function tooManyInAll(what: 'bytes' | 'keys and values'): ProblemText {
  const most = what === 'bytes' ? `${mostBytesInAll / 1_000_000} MB` : `${counted(mostNodesInAll)} ${what}`;
  return tooLarge(
    `The YAML files have more than ${most} together, which is the limit. They are not checked.`,
    'delete files that are not declarations of this tenant, or pass another folder',
  );
}

export function tooManyCharactersInAll(): ProblemText {
  return tooLarge(
    `The texts and values of all references have more than ${counted(mostReferencedCharacters)} characters together, which is the limit. A text counts as often as it is referred to.`,
    'use shorter texts and values, or fewer references',
  );
}

function tooLarge(message: string, hint: string): ProblemText {
  return { code: 'CONFIG_FOLDER_TOO_LARGE', message, hint };
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
