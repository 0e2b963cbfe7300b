// The edits of a file as a tree, by the names and indexes of their pointers.
import { InternalError } from '../model/internal-error.ts';
import { jsonPointer, pointerPath } from '../values/json-pointer.ts';
import type { Edit, InsertItem, InsertKey } from './edit.ts';
import { isList, isScalarValue, textOfWritten, type WrittenMapping, type WrittenValue } from './written-value.ts';

/** What is edited at a value and below it. */
export interface EditTree {
  /** The new value; null if it is kept. */
  set: NewValue | null;
  isDeleted: boolean;
  /** New members by the name of the one before them; null for the start. */
  readonly inserts: Map<string | null, Insert[]>;
  readonly members: Map<string, EditTree>;
}

export interface NewValue {
  readonly value: WrittenValue;
  /** Texts with several lines are in quotes. */
  readonly isQuoted: boolean;
}

export interface Insert extends NewValue {
  /** Null for an item of a list. */
  readonly key: string | null;
}

/** An edit whose new texts are in quotes: a block of lines would take over the comments below it. */
export type QuotedEdit = Edit & { readonly isQuoted?: true };

export function editTree(edits: readonly QuotedEdit[]): EditTree {
  const root = noEdits();
  for (const edit of edits) {
    const at = editsAt(root, edit.pointer);
    if (edit.op === 'set') at.set = { value: edit.value, isQuoted: edit.isQuoted === true };
    else if (edit.op === 'delete') at.isDeleted = true;
    else addInsert(at, edit);
  }
  return root;
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

function addInsert(at: EditTree, edit: QuotedEdit & (InsertItem | InsertKey)): void {
  const after = edit.after === null ? null : String(edit.after);
  const insert = { key: 'key' in edit ? edit.key : null, value: edit.value, isQuoted: edit.isQuoted === true };
  const known = at.inserts.get(after);
  if (known === undefined) at.inserts.set(after, [insert]);
  else known.push(insert);
}

/** The value after its edits. */
export function applyEdits(value: WrittenValue, edits: EditTree, pointer = ''): WrittenValue {
  if (edits.set !== null) return edits.set.value;
  if (edits.members.size + edits.inserts.size === 0) return value;
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

/** A text that equal edits have in common; empty if there is none. */
export function textOfEdits(edits: EditTree): string {
  if (edits.isDeleted) return 'delete';
  if (edits.set !== null) return `set ${textOfWritten(edits.set.value)}`;
  const inserts = [...edits.inserts].map(
    ([name, added]) =>
      `after ${JSON.stringify(name)} (${added.map(({ key, value }) => `${JSON.stringify(key)} ${textOfWritten(value)}`).join()})`,
  );
  const members = [...edits.members].flatMap(([name, below]) => {
    const text = textOfEdits(below);
    return text === '' ? [] : [`at ${JSON.stringify(name)} (${text})`];
  });
  return [...inserts.sort(), ...members.sort()].join();
}
