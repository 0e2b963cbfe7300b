// Edits as a list with pointers, as tests write them.
import { editYaml } from '../../src/edit/edit-yaml.ts';
import { addInsert, type EditTree, editsAt, noEdits } from '../../src/edit/edits.ts';
import { sourceTree } from '../../src/edit/source-tree.ts';
import type { WrittenValue } from '../../src/edit/written-value.ts';
import { jsonPointer } from '../../src/values/json-pointer.ts';

/** One change of a file. Pointers, indexes and keys are those of the file before all of its changes. */
export type Edit =
  | { readonly op: 'set'; readonly pointer: string; readonly value: WrittenValue }
  | { readonly op: 'delete'; readonly pointer: string }
  | InsertItem
  | InsertKey;

interface InsertItem {
  readonly op: 'insert';
  readonly pointer: string;
  readonly after: number | null;
  readonly value: WrittenValue;
}

interface InsertKey {
  readonly op: 'insert';
  readonly pointer: string;
  readonly key: string;
  readonly after: string | null;
  readonly value: WrittenValue;
}

export function editTree(edits: readonly Edit[]): EditTree {
  const root = noEdits();
  for (const edit of edits) {
    const at = editsAt(root, edit.pointer);
    if (edit.op === 'set') at.set = edit.value;
    else if (edit.op === 'delete') at.isDeleted = true;
    else
      addInsert(at, edit.after === null ? null : String(edit.after), {
        key: 'key' in edit ? edit.key : null,
        value: edit.value,
      });
  }
  return root;
}

/** The same as a list: what is set or deleted by its place, then what is inserted. */
export function listEdits(tree: EditTree, pointer = ''): Edit[] {
  if (tree.set !== undefined) return [{ op: 'set', pointer, value: tree.set }];
  if (tree.isDeleted) return [{ op: 'delete', pointer }];
  const members = [...tree.members].flatMap(([name, below]) => listEdits(below, pointer + jsonPointer(name)));
  const inserts = [...tree.inserts].flatMap(([after, some]) =>
    some.map(({ key, value }): Edit => {
      if (key !== null) return { op: 'insert', pointer, key, after, value };
      return { op: 'insert', pointer, after: after === null ? null : Number(after), value };
    }),
  );
  return [...members, ...inserts];
}

export function editedYaml(text: string, edits: readonly Edit[]): string {
  const tree = sourceTree(text);
  if (tree === null) throw new Error('The file is not valid.');
  return editYaml(tree, editTree(edits));
}
