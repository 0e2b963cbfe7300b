// Edits of a file as a tree by the names and indexes of its values. Those that are not in it stay as they are written.
import { InternalError } from '../model/internal-error.ts';
import { jsonPointer, pointerPath } from '../values/json-pointer.ts';
import { isList, isScalarValue, type WrittenMapping, type WrittenValue } from './written-value.ts';

/** What is edited at a value and below it. Names and indexes are those before all edits. */
export interface EditTree {
  /** The new value; null if it is kept. */
  set: WrittenValue | null;
  /** The item of a list, or the key with its value, is deleted. */
  isDeleted: boolean;
  /** New members by the name of the one before them; null for the start. Several after one are in their order. */
  readonly inserts: Map<string | null, Insert[]>;
  readonly members: Map<string, EditTree>;
}

export interface Insert {
  /** Null for an item of a list. */
  readonly key: string | null;
  readonly value: WrittenValue;
}

export function noEdits(): EditTree {
  return { set: null, isDeleted: false, inserts: new Map(), members: new Map() };
}

export function isUnedited({ set, isDeleted, inserts, members }: EditTree): boolean {
  return set === null && !isDeleted && inserts.size === 0 && [...members.values()].every(isUnedited);
}

/** The edits at a pointer below a tree. */
export function editsAt(root: EditTree, pointer: string): EditTree {
  let at = root;
  for (const name of pointerPath(pointer)) {
    const next = at.members.get(name) ?? noEdits();
    at.members.set(name, next);
    at = next;
  }
  return at;
}

export function addInsert({ inserts }: EditTree, after: string | null, insert: Insert): void {
  const known = inserts.get(after);
  if (known === undefined) inserts.set(after, [insert]);
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
