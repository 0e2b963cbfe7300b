// Edits of a file as a tree by the names and indexes of its values. Those that are not in it stay as they are written.
import { isDeepStrictEqual } from 'node:util';
import { InternalError } from '../model/internal-error.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { pointerPath } from '../values/json-pointer.ts';
import {
  isList,
  isMapping,
  isSameWritten,
  isScalarValue,
  type WrittenMapping,
  type WrittenValue,
} from './written-value.ts';

/** What is edited at a value and below it. Names and indexes are those before all edits. */
export interface EditTree {
  /** The new value; undefined if it is kept. */
  set: WrittenValue | undefined;
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
  return { set: undefined, isDeleted: false, inserts: new Map(), members: new Map() };
}

export function isUnedited({ set, isDeleted, inserts, members }: EditTree): boolean {
  return set === undefined && !isDeleted && inserts.size === 0 && [...members.values()].every(isUnedited);
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
export function applyEdits(value: WrittenValue, edits: EditTree): WrittenValue {
  if (edits.set !== undefined) return edits.set;
  if (isUnedited(edits)) return value;
  const places = [...edits.members.keys(), ...edits.inserts.keys()];
  if (isScalarValue(value) || places.some((name) => name !== null && !Object.hasOwn(value, name)))
    throw new InternalError('An edit has a place that is not in the file.');
  const members: [string, WrittenValue][] = insertsAt(edits, null);
  for (const [name, member] of Object.entries(value)) {
    const below = edits.members.get(name);
    if (below === undefined) members.push([name, member]);
    else if (!below.isDeleted) members.push([name, applyEdits(member, below)]);
    members.push(...insertsAt(edits, name));
  }
  return isList(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

function insertsAt(edits: EditTree, name: string | null): [string, WrittenValue][] {
  return (edits.inserts.get(name) ?? []).map(({ key, value }) => [key ?? '', value]);
}

/** What names an item of a list, so that a change of its other members is no new item. */
export type NameOf = (item: unknown) => string | undefined;

/**
 * Adds the smallest edits that lead from one value to another. `written` is how the file writes `before`, with
 * references in place of the values of variables; `after` may have references, too. What is equal stays as it is
 * written, with all of its references.
 */
export function revise(
  edits: EditTree,
  written: WrittenValue,
  before: unknown,
  after: unknown,
  nameOf: NameOf = () => undefined,
): void {
  revised(written, before, after, edits);

  function revised(was: WrittenValue, from: unknown, to: unknown, at: EditTree): void {
    if (isDeepStrictEqual(from, to)) return;
    if (isMapping(was) && isRecord(from) && isMapping(literal(to)))
      reviseMapping(was, from, literal(to) as WrittenMapping, at);
    else if (isList(was) && Array.isArray(from) && Array.isArray(to)) reviseList(was, from, to, at);
    else if (!isSameWritten(was, literal(to))) at.set = literal(to);
  }

  function reviseMapping(
    was: WrittenMapping,
    from: Readonly<Record<string, unknown>>,
    to: WrittenMapping,
    at: EditTree,
  ): void {
    for (const [name, member] of Object.entries(was)) {
      if (Object.hasOwn(to, name)) addMember(name, member, from[name], to[name], at);
      // Members that plain values do not have, such as `unmanaged: false`, stay.
      else if (Object.hasOwn(from, name)) at.members.set(name, { ...noEdits(), isDeleted: true });
    }
    let last = Object.keys(was).at(-1) ?? null;
    for (const [key, value] of Object.entries(to)) {
      if (Object.hasOwn(was, key)) last = key;
      else addInsert(at, last, { key, value });
    }
  }

  /** An item that comes after one that follows it in the file is a new one. */
  function reviseList(
    was: readonly WrittenValue[],
    from: readonly unknown[],
    to: readonly unknown[],
    at: EditTree,
  ): void {
    const deleted = new Set(from.keys());
    let last: number | null = null;
    for (const [item, index] of matched(from, to)) {
      const old = index === undefined ? undefined : was[index];
      if (index === undefined || old === undefined || (last !== null && index < last)) {
        const value = old !== undefined && isDeepStrictEqual(from[index ?? 0], item) ? old : literal(item);
        addInsert(at, last === null ? null : String(last), { key: null, value });
      } else {
        addMember(String(index), old, from[index], item, at);
        deleted.delete(index);
        last = index;
      }
    }
    for (const index of deleted) at.members.set(String(index), { ...noEdits(), isDeleted: true });
  }

  function addMember(name: string, was: WrittenValue, from: unknown, to: unknown, at: EditTree): void {
    const below = noEdits();
    revised(was, from, to, below);
    if (below.set !== undefined || below.inserts.size + below.members.size > 0) at.members.set(name, below);
  }

  /** Items with the index of the same one before: an equal one, or one with the same name. */
  function matched(
    from: readonly unknown[],
    to: readonly unknown[],
  ): (readonly [item: unknown, index: number | undefined])[] {
    const equal = groupBy([...from.keys()], (index) => JSON.stringify(from[index]));
    const found = to.map((item) => equal.get(JSON.stringify(item))?.shift());
    const left = [...equal.values()].flat().filter((index) => nameOf(from[index]) !== undefined);
    const named = groupBy(left, (index) => nameOf(from[index]));
    return to.map((item, at) => [item, found[at] ?? named.get(nameOf(item))?.shift()]);
  }
}

/** Only values of JSON come from a tenant; what no file can express is refused before it is printed. */
export function literal(value: unknown): WrittenValue {
  return value as WrittenValue;
}
