// Limits of all files of a run together. Each file has limits of its own, but a folder can have any number of files.
import type { ProblemText } from './errors/problem.ts';

/** Of all YAML files. */
export const mostBytesInAll = 50_000_000;
/** Keys, values and list items of all YAML files: each takes the parser some hundred bytes. */
export const mostNodesInAll = 1_000_000;
/** Of all texts and values that replace references: what is referred to twice is sent and compared twice. */
export const mostReferencedCharacters = 20_000_000;

/** What the files of a run may still add up to. Each method is false once there is too much. */
export interface FolderBudget {
  takeBytes(bytes: number): boolean;
  takeNode(): boolean;
  takeCharacters(characters: number): boolean;
  /** True if a file was refused because of those before it. */
  isSpent(): boolean;
}

export function openFolderBudget(): FolderBudget {
  const left = { bytes: mostBytesInAll, nodes: mostNodesInAll, characters: mostReferencedCharacters };
  const take = (what: keyof typeof left) => (amount: number) => {
    left[what] -= amount;
    return left[what] >= 0;
  };
  const takeNodes = take('nodes');
  return {
    takeBytes: take('bytes'),
    takeNode: () => takeNodes(1),
    takeCharacters: take('characters'),
    isSpent: () => left.bytes < 0 || left.nodes < 0,
  };
}

export function tooManyBytesInAll(): ProblemText {
  return folderTooLarge(
    `The YAML files have more than ${mostBytesInAll / 1_000_000} MB together, which is the limit. They are not checked.`,
  );
}

export function tooManyNodesInAll(): ProblemText {
  return folderTooLarge(
    `The YAML files have more than ${mostNodesInAll.toLocaleString('en-US')} keys and values together, which is the limit. This file and those after it are not checked.`,
  );
}

export function tooManyCharactersInAll(): ProblemText {
  return {
    code: 'CONFIG_FOLDER_TOO_LARGE',
    message: `The texts and values of all references have more than ${mostReferencedCharacters.toLocaleString('en-US')} characters together, which is the limit. A text counts as often as it is referred to.`,
    hint: 'use shorter texts and values, or fewer references',
  };
}

function folderTooLarge(message: string): ProblemText {
  return {
    code: 'CONFIG_FOLDER_TOO_LARGE',
    message,
    hint: 'delete files that are not declarations of this tenant, or pass another folder',
  };
}
