// Edits of a file in place. The result is read again: a value that is not as expected is never returned.
import { InternalError } from '../model/internal-error.ts';
import { pointerPath, valueAt } from '../values/json-pointer.ts';
import type { Edit } from './edit.ts';
import { editedText } from './edit-nodes.ts';
import { applyEdits, editsAt, editTree, type QuotedEdit } from './edit-tree.ts';
import { type ReadFile, readFile, readWritten } from './read-written.ts';
import { type SourceTree, sourceTree } from './source-tree.ts';
import { writtenProblem } from './written-problem.ts';
import { isSameWritten, type WrittenValue } from './written-value.ts';

/** A file to edit. */
interface Original extends ReadFile {
  readonly tree: SourceTree;
}

/** The text of a valid file after its edits. Comments, order, style and line ends of everything else stay. */
export function editYaml(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  for (const edit of edits) checkValue(edit);
  const read = readFile(text);
  const tree = read === null ? null : sourceTree(text, read.tokens);
  if (read === null || tree === null) throw new InternalError('A file to edit is not valid.');
  return editedSafely({ ...read, tree }, edits);
}

function checkValue(edit: Edit): void {
  const problem = edit.op === 'delete' ? null : writtenProblem(edit.value);
  if (problem !== null)
    throw new InternalError(`An edit at "${edit.pointer}" has a value that cannot be written: ${problem.reason}.`);
}

/** Where an edit does not have the expected result, the value around it is written anew, and so on outwards. */
function editedSafely(original: Original, edits: readonly Edit[]): string {
  let current: readonly QuotedEdit[] = edits;
  for (let edited = tried(original, current); ; edited = tried(original, current)) {
    if (edited !== null) return edited;
    const failing = failingEdits(original, current);
    if (failing.some(({ pointer, op, isQuoted }) => pointer === '' && op === 'set' && isQuoted))
      throw new InternalError('The edits of a file do not have the expected result.');
    const isNew = failing.some((edit) => edit.op !== 'delete' && edit.isQuoted !== true);
    current = isNew
      ? current.map((edit) => (failing.includes(edit) ? { ...edit, isQuoted: true } : edit))
      : failing.reduce<readonly QuotedEdit[]>((all, edit) => widened(original, all, edit), current);
  }
}

/** Null if the result has another value than expected. */
function tried({ value, tree }: Original, edits: readonly QuotedEdit[]): string | null {
  const expected = applyEdits(value, editTree(edits));
  for (const keepsMissingEnd of tree.text.endsWith('\n') ? [true] : [true, false]) {
    const edited = editedText(tree, value, edits, keepsMissingEnd);
    const read = edited === null ? null : readWritten(edited);
    if (read !== null && isSameWritten(read, expected)) return edited;
  }
  return null;
}

/** The edits that fail alone, or all if they fail only together. */
function failingEdits(original: Original, edits: readonly QuotedEdit[]): readonly QuotedEdit[] {
  if (edits.length < 2) return edits;
  const middle = edits.length >> 1;
  const halves = [edits.slice(0, middle), edits.slice(middle)];
  const failing = halves.flatMap((half) => (tried(original, half) === null ? failingEdits(original, half) : []));
  return failing.length > 0 ? failing : edits;
}

/** All edits, with the value around one of them replaced as a unit. */
function widened({ value }: Original, edits: readonly QuotedEdit[], edit: QuotedEdit): readonly QuotedEdit[] {
  const path = pointerPath(edit.pointer);
  const pointer = edit.op === 'insert' ? edit.pointer : parentOf(edit.pointer, path.length);
  if (!edits.includes(edit)) return edits;
  const isWithin = (other: Edit) => other.pointer === pointer || other.pointer.startsWith(`${pointer}/`);
  const before = valueAt(value, pointer) as WrittenValue;
  const after = applyEdits(before, editsAt(editTree(edits.filter(isWithin)), pointer));
  return [...edits.filter((other) => !isWithin(other)), { op: 'set', pointer, value: after }];
}

function parentOf(pointer: string, depth: number): string {
  return depth === 0 ? '' : pointer.slice(0, pointer.lastIndexOf('/'));
}
