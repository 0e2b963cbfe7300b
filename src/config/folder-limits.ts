// Limits of all files of a run together. Each file has limits of its own, but a folder can have any number of files.
import type { SourceText } from '../diagnostics/source-text.ts';
import type { ProblemText } from './errors/problem.ts';
import type { Pauses } from './pauses.ts';
import { mostNodesIn, nodesIn } from './yaml/file-limits.ts';

/** Of all YAML files. */
const mostBytesInAll = 50_000_000;
/** Keys, values and list items of all YAML files: each takes the parser some hundred bytes. */
const mostNodesInAll = 1_000_000;
/** Of all texts and values that replace references: what is referred to twice is sent and compared twice. */
const mostReferencedCharacters = 20_000_000;

/** What the files of a run may still add up to. */
export interface FolderBudget {
  /** False once there is too much. */
  takeBytes(bytes: number): boolean;
  takeCharacters(characters: number): boolean;
  /** The first of these texts with which all texts have too many nodes, before any of them is parsed; null for none. */
  firstTooMany(texts: readonly SourceText[], pauses: Pauses): Promise<SourceText | null>;
}

export function openFolderBudget(): FolderBudget {
  const left = { bytes: mostBytesInAll, characters: mostReferencedCharacters };
  const take = (what: keyof typeof left) => (amount: number) => {
    left[what] -= amount;
    return left[what] >= 0;
  };
  return { takeBytes: take('bytes'), takeCharacters: take('characters'), firstTooMany: openTextCount() };
}

/** Counting exactly takes a good part of the time of parsing, so it waits until there may be too many. */
function openTextCount(): FolderBudget['firstTooMany'] {
  const uncounted: SourceText[] = [];
  let possible = 0;
  let counted = 0;
  return async (texts, pauses) => {
    for (const { text } of texts) possible += mostNodesIn(text);
    uncounted.push(...texts);
    if (counted + possible <= mostNodesInAll) return null;
    possible = 0;
    for (const source of uncounted.splice(0)) {
      counted += nodesIn(source.text);
      if (counted > mostNodesInAll) return source;
      if (pauses.due()) await pauses.take();
    }
    return null;
  };
}

export function tooManyBytesInAll(): ProblemText {
  return folderTooLarge(
    `The YAML files have more than ${mostBytesInAll / 1_000_000} MB together, which is the limit. They are not checked.`,
  );
}

export function tooManyNodesInAll(): ProblemText {
  return folderTooLarge(
    `The YAML files have more than ${mostNodesInAll.toLocaleString('en-US')} keys and values together, which is the limit. They are not checked.`,
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
