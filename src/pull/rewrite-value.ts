// The written value of an item from its plain value: what is equal stays as it is written, with its references.

import { isDeepStrictEqual as equal } from 'node:util';
import { envReference, isList, isMapping, type WrittenMapping, type WrittenValue } from '../edit/written-value.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, pointerPath } from '../values/json-pointer.ts';

/** A text in a file of its own that changes, by the JSON pointer from the item to its reference. */
export interface ChangedText {
  readonly pointer: string;
  readonly text: string;
}

export interface Rewritten {
  readonly value: WrittenValue;
  readonly texts: readonly ChangedText[];
}

/**
 * `before` and `after` are plain values, `written` is how the file writes `before`; `files` are the pointers at which it
 * refers to a file instead of having the text. A text that no file can have, by `isFileText`, is written in its place.
 */
export function rewritten(
  written: WrittenValue,
  before: unknown,
  after: unknown,
  files: ReadonlyMap<string, string> = new Map(),
  isFileText: (pointer: string) => boolean = () => true,
): Rewritten {
  const texts: ChangedText[] = [];
  const visit = (was: WrittenValue | undefined, from: unknown, to: unknown, pointer: string): WrittenValue => {
    if (was === undefined) return literal(to);
    if (equal(from, to)) return was;
    if (files.has(pointer) && typeof to === 'string' && isFileText(pointer)) {
      texts.push({ pointer, text: to });
      return was;
    }
    if (isMapping(was) && isRecord(from) && isRecord(to)) {
      // Members that plain values do not have, such as `unmanaged: false`, stay.
      const kept = Object.entries(was).filter(([name]) => !Object.hasOwn(from, name) || Object.hasOwn(to, name));
      const members = kept.map(([name, member]): [string, WrittenValue] => [
        name,
        Object.hasOwn(to, name) ? visit(member, from[name], to[name], pointer + jsonPointer(name)) : member,
      ]);
      const added = Object.entries(to).filter(([name]) => !Object.hasOwn(was, name));
      return Object.fromEntries([...members, ...added.map(([name, member]) => [name, literal(member)] as const)]);
    }
    if (isList(was) && Array.isArray(from) && Array.isArray(to)) return list(was, from, to, pointer);
    return literal(to);
  };
  const list = (was: readonly WrittenValue[], from: readonly unknown[], to: readonly unknown[], pointer: string) => {
    const unused = groupBy([...from.keys()], (index) => JSON.stringify(from[index]));
    const named = groupBy([...from.keys()], (index) => identityOf(from[index]));
    return to.map((item) => {
      const same = unused.get(JSON.stringify(item))?.shift();
      if (same !== undefined) return was[same] as WrittenValue;
      const identity = identityOf(item);
      const [other] = identity === null ? [] : (named.get(identity) ?? []);
      return other === undefined ? literal(item) : visit(was[other], from[other], item, pointer + jsonPointer(other));
    });
  };
  return { value: visit(written, before, after, ''), texts };
}

/** What names a member of a list whose other fields can change: its first field, if it has others. */
function identityOf(item: unknown): string | null {
  if (!isRecord(item)) return null;
  const [first, second] = Object.entries(item);
  return first !== undefined && second !== undefined && typeof first[1] === 'string' ? first[1] : null;
}

/** A plain value without references. */
export function literal(value: unknown): WrittenValue {
  // Only values of JSON come from a tenant; what no file can express is refused before it is printed.
  return value as WrittenValue;
}

/** The value with `${env:NAME}` at these places, which are texts of that form. */
export function withSecrets(value: WrittenValue, pointers: readonly string[]): WrittenValue {
  return pointers.reduce((result, pointer) => replacedAt(result, pointerPath(pointer), secretReference), value);
}

function secretReference(value: WrittenValue): WrittenValue {
  const name = typeof value === 'string' ? /^\$\{env:(\w+)\}$/.exec(value)?.[1] : undefined;
  return name === undefined ? value : envReference(name);
}

/** The value with another one at a place; unchanged if there is no such place. */
export function replacedAt(
  value: WrittenValue,
  [name, ...path]: readonly string[],
  replace: (value: WrittenValue) => WrittenValue,
): WrittenValue {
  if (name === undefined) return replace(value);
  if (isList(value)) {
    return value.map((item, index) => (String(index) === name ? replacedAt(item, path, replace) : item));
  }
  if (!isMapping(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === name ? replacedAt(member, path, replace) : member]),
  ) satisfies WrittenMapping;
}
