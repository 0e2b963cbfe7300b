// Edits of a file in place. The result is read again: a value that is not as expected is never returned.
import { InternalError } from '../model/internal-error.ts';
import { jsonPointer, pointerPath, valueAt } from '../values/json-pointer.ts';
import type { Edit } from './edit.ts';
import { editedText } from './edit-nodes.ts';
import { applyEdits, editsAt, editTree, type QuotedEdit } from './edit-tree.ts';
import { hasTypedReference } from './print-lines.ts';
import { type ReadFile, readFile, readWritten } from './read-written.ts';
import { type Member, type SourceNode, type SourceTree, sourceTree } from './source-tree.ts';
import { writtenProblem } from './written-problem.ts';
import { isSameWritten, type WrittenValue } from './written-value.ts';

/** How often the edits that fail are searched: each time, the file is read. After that, a part of the edits counts as a unit. */
const mostTries = 200;

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
  if (edit.op === 'delete') return;
  const problem = writtenProblem('key' in edit ? { [edit.key]: edit.value } : edit.value);
  if (problem !== null)
    throw new InternalError(`An edit at "${edit.pointer}" has a value that cannot be written: ${problem.reason}.`);
}

/** Where an edit does not have the expected result, the value around it is written anew, and so on outwards. */
function editedSafely(original: Original, edits: readonly Edit[]): string {
  let current: readonly QuotedEdit[] = outsideBrackets(original, edits);
  let tries = mostTries;
  const isTried = (some: readonly QuotedEdit[]) => tries-- > 0 && tried(original, some) !== null;
  for (let edited = tried(original, current); ; edited = tried(original, current)) {
    if (edited !== null) return edited;
    const failing = failingEdits(isTried, current);
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
function failingEdits(
  isTried: (edits: readonly QuotedEdit[]) => boolean,
  edits: readonly QuotedEdit[],
): readonly QuotedEdit[] {
  if (edits.length < 2) return edits;
  const middle = edits.length >> 1;
  const halves = [edits.slice(0, middle), edits.slice(middle)];
  const failing = halves.flatMap((half) => (isTried(half) ? [] : failingEdits(isTried, half)));
  return failing.length > 0 ? failing : edits;
}

/** Between brackets, a reference would be text, so the collection around it gets lines. */
function outsideBrackets(original: Original, edits: readonly Edit[]): readonly Edit[] {
  const moved = new Set<string>();
  for (const edit of edits) {
    const pointer = edit.op !== 'delete' && hasTypedReference(edit.value) ? bracketsAround(original.tree, edit) : null;
    if (pointer !== null) moved.add(pointer);
  }
  return [...moved].reduce<readonly Edit[]>((all, pointer) => setAround(original, all, pointer), edits);
}

/** The pointer to the outermost collection between brackets that would have the new value; null if there is none. */
function bracketsAround({ root }: SourceTree, { op, pointer }: Edit): string | null {
  let node: SourceNode | undefined = root;
  let at = '';
  for (const name of [...pointerPath(pointer), ...(op === 'insert' ? [''] : [])]) {
    if (node === undefined || node.kind === 'scalar' || node.kind === 'alias') return null;
    if (node.isFlow && node.members.length > 0) return at;
    const member: Member | undefined =
      node.kind === 'list' ? node.members[Number(name)] : node.members.find((each) => each.name === name);
    node = member?.value;
    at += jsonPointer(name);
  }
  return null;
}

/** All edits, with the value around one of them replaced as a unit. */
function widened(original: Original, edits: readonly QuotedEdit[], edit: QuotedEdit): readonly QuotedEdit[] {
  if (!edits.includes(edit)) return edits;
  return setAround(original, edits, edit.op === 'insert' ? edit.pointer : parentOf(edit.pointer));
}

/** All edits of and below a pointer as one that sets its value. */
function setAround({ value }: Original, edits: readonly QuotedEdit[], pointer: string): readonly QuotedEdit[] {
  const isWithin = (other: Edit) => other.pointer === pointer || other.pointer.startsWith(`${pointer}/`);
  const before = valueAt(value, pointer) as WrittenValue;
  const after = applyEdits(before, editsAt(editTree(edits.filter(isWithin)), pointer));
  return [...edits.filter((other) => !isWithin(other)), { op: 'set', pointer, value: after }];
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}
