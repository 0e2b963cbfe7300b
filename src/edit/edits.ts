// Edits of a file, and the same as a tree by the names and indexes of their pointers.
import { InternalError } from '../model/internal-error.ts';
import { jsonPointer, pointerPath } from '../values/json-pointer.ts';
import { isList, isScalarValue, type WrittenMapping, type WrittenValue } from './written-value.ts';

/** One change of a file. Pointers, indexes and keys are those of the file before all of its changes. */
export type Edit = SetEdit | DeleteEdit | InsertItem | InsertKey;

/** Replaces the value at a pointer. */
export interface SetEdit {
  readonly op: 'set';
  readonly pointer: string;
  readonly value: WrittenValue;
}

/** Deletes an item of a list, or a key with its value. */
export interface DeleteEdit {
  readonly op: 'delete';
  readonly pointer: string;
}

/** Adds an item to the list at a pointer. */
export interface InsertItem {
  readonly op: 'insert';
  readonly pointer: string;
  /** Index of the item before it; null for the start of the list. Several after one item are in the order of the edits. */
  readonly after: number | null;
  readonly value: WrittenValue;
}

/** Adds a key to the mapping at a pointer. */
export interface InsertKey {
  readonly op: 'insert';
  readonly pointer: string;
  readonly key: string;
  /** The key before it; null for the start of the mapping. */
  readonly after: string | null;
  readonly value: WrittenValue;
}

/** What is edited at a value and below it. */
export interface EditTree {
  /** The new value; null if it is kept. */
  set: WrittenValue | null;
  isDeleted: boolean;
  /** New members by the name of the one before them; null for the start. */
  readonly inserts: Map<string | null, Insert[]>;
  readonly members: Map<string, EditTree>;
}

export interface Insert {
  /** Null for an item of a list. */
  readonly key: string | null;
  readonly value: WrittenValue;
}

export function editTree(edits: readonly Edit[]): EditTree {
  const root = noEdits();
  for (const edit of edits) {
    const at = editsAt(root, edit.pointer);
    if (edit.op === 'set') at.set = edit.value;
    else if (edit.op === 'delete') at.isDeleted = true;
    else addInsert(at, edit);
  }
  return root;
}

export function isUnedited({ set, isDeleted, inserts, members }: EditTree): boolean {
  return set === null && !isDeleted && inserts.size + members.size === 0;
}

function noEdits(): EditTree {
  return { set: null, isDeleted: false, inserts: new Map(), members: new Map() };
}

export function editsAt(root: EditTree, pointer: string): EditTree {
  let at = root;
  for (const name of pointerPath(pointer)) {
    const next = at.members.get(name) ?? noEdits();
    at.members.set(name, next);
    at = next;
  }
  return at;
}

function addInsert(at: EditTree, edit: InsertItem | InsertKey): void {
  const after = edit.after === null ? null : String(edit.after);
  const insert = { key: 'key' in edit ? edit.key : null, value: edit.value };
  const known = at.inserts.get(after);
  if (known === undefined) at.inserts.set(after, [insert]);
  else known.push(insert);
}

/** The value after its edits. */
export function applyEdits(value: WrittenValue, edits: EditTree, pointer = ''): WrittenValue {
  if (edits.set !== null) return edits.set;
  if (isUnedited(edits)) return value;
  if (isScalarValue(value)) throw new InternalError(`An edit is below the scalar at "${pointer}".`);
  for (const name of [...edits.members.keys(), ...edits.inserts.keys()]) {
    if (name !== null && !Object.hasOwn(value, name))
      throw new InternalError(`An edit names "${name}", which is not at "${pointer}".`);
  }
  const members: [string, WrittenValue][] = insertsAt(edits, null);
  for (const [name, member] of Object.entries(value)) {
    const below = edits.members.get(name);
    if (below === undefined) members.push([name, member]);
    else if (!below.isDeleted) members.push([name, applyEdits(member, below, pointer + jsonPointer(name))]);
    members.push(...insertsAt(edits, name));
  }
  return isList(value) ? members.map(([, member]) => member) : mappingOf(members, pointer);
}

function mappingOf(members: readonly (readonly [string, WrittenValue])[], pointer: string): WrittenMapping {
  const mapping = Object.fromEntries(members);
  if (Object.keys(mapping).length < members.length) throw new InternalError(`An edit repeats a key of "${pointer}".`);
  return mapping;
}

function insertsAt(edits: EditTree, name: string | null): [string, WrittenValue][] {
  return (edits.inserts.get(name) ?? []).map(({ key, value }) => [key ?? '', value]);
}
