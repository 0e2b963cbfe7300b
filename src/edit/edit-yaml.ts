// Edits of a file in place. The result is read again: a value that is not as expected is never returned.
import { InternalError } from '../model/internal-error.ts';
import { editedText } from './edit-nodes.ts';
import { applyEdits, type Edit, editTree } from './edits.ts';
import { readFile, readWritten } from './read-written.ts';
import { shareNodes } from './shared-nodes.ts';
import { sourceTree } from './source-tree.ts';
import { writtenProblem } from './written-problem.ts';
import { isSameWritten } from './written-value.ts';

/** The text of a valid file after its edits. Comments, order, style and line ends of everything else stay. */
export function editYaml(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  for (const edit of edits) checkValue(edit);
  const read = readFile(text);
  const tree = read === null ? null : sourceTree(text, read.tokens);
  if (read === null || tree === null) throw new InternalError('A file to edit is not valid.');
  const changes = editTree(edits);
  const expected = applyEdits(read.value, changes);
  shareNodes(tree, read.value, changes);
  const edited = editedText(tree, read.value, changes);
  const after = readWritten(edited);
  if (after === null || !isSameWritten(after, expected))
    throw new InternalError('The edits of a file do not have the expected result.');
  return edited;
}

function checkValue(edit: Edit): void {
  if (edit.op === 'delete') return;
  const problem = writtenProblem('key' in edit ? { [edit.key]: edit.value } : edit.value);
  if (problem !== null)
    throw new InternalError(`An edit at "${edit.pointer}" has a value that cannot be written: ${problem.reason}.`);
}
