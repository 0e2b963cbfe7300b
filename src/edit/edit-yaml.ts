// Edits of a file in place. The result is read again: a value that is not as expected is never returned.
import { InternalError } from '../model/internal-error.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { editedText } from './edit-nodes.ts';
import { applyEdits, type Edit, type EditTree, editsAt, editTree } from './edits.ts';
import { readWritten, type SourceNode, type SourceTree, sourceTree } from './source-tree.ts';
import { isSameWritten, type WrittenValue, writtenProblem } from './written-value.ts';

/** The text of a valid file after its edits. Comments, order, style and line ends of everything else stay. `tree`: the file. */
export function editYaml(text: string, edits: readonly Edit[], tree = sourceTree(text)): string {
  if (edits.length === 0) return text;
  for (const edit of edits) checkValue(edit);
  if (tree === null) throw new InternalError('A file to edit is not valid.');
  const changes = editTree(edits);
  const expected = applyEdits(tree.written, changes);
  shareNodes(tree, changes);
  const edited = editedText(tree, changes);
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

/** Adds the copies to the edits, and takes away the edits of aliases that agree with their anchor. */
function shareNodes({ root, written, hasAliases }: SourceTree, edits: EditTree): void {
  /** Values after the edits at the anchors that stay. */
  const shared = new Map<SourceNode, WrittenValue>();
  if (hasAliases) visit(root, edits, written, '');

  function visit(node: SourceNode, at: EditTree | undefined, before: WrittenValue, pointer: string): void {
    const after = () => (at === undefined ? before : applyEdits(before, at));
    if (node.kind === 'alias') {
      const kept = node.target === null ? undefined : shared.get(node.target);
      const own = after();
      const copy = kept !== undefined && isSameWritten(kept, own) ? null : own;
      if (copy !== null || at !== undefined) replaceEdits(editsAt(edits, pointer), copy);
      return;
    }
    if (node.hasAnchor) shared.set(node, after());
    if (node.kind === 'scalar' || (at !== undefined && at.set !== null)) return;
    for (const { name, key, value } of node.members) {
      const below = at?.members.get(name);
      if (below?.isDeleted === true) continue;
      if (key?.hasAnchor === true) shared.set(key, name);
      // The tree and the value are of the same text.
      visit(value, below, memberOf(before, name) as WrittenValue, pointer + jsonPointer(name));
    }
  }
}

function replaceEdits(edits: EditTree, set: WrittenValue | null): void {
  edits.set = set;
  edits.members.clear();
  edits.inserts.clear();
}
